import { afterEach, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handler as check } from '#functions/consumer/check/handler.ts';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { handler as status } from '#functions/consumer/status/handler.ts';
import { handler as mdmCheck } from '#functions/mdm/check/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as xadd } from '#functions/stream/xadd/handler.ts';
import { explainStatus } from '#lib/contract/explain-status.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { ScriptError } from '#scripts/arguments.ts';
import { examineDeployment } from '#scripts/doctor/deployment.ts';
import { closeSecrets, contextOfCall, ownSecrets, putSecret } from '#scripts/doctor/own-secrets.ts';
import type { Section } from '#scripts/doctor/print.ts';
import { examineSecret } from '#scripts/doctor/secret.ts';
import { readSecret } from '#scripts/secret/read-secret.ts';
import { healthyStack, startDeployedStack } from '../../support/aws/deployed-stack.ts';
import { postSource } from '../../support/aws/source-handler.ts';
import { use } from '../../support/jest/use.ts';
import { makeCertificates } from '../../support/redis/certificates.ts';
import { createDocumentedUser } from '../../support/redis/documented-user.ts';
import { startRedisSentinel } from '../../support/redis/redis-sentinel.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';

/*
 * Worlds that are broken in one place, as a user meets them: a call, and the doctor, each name the cause and the cure.
 * The doctor looks at the file of the configuration (`--secret`), or at a deployed stack (`--remote`) where the fault
 * is in AWS.
 */

const mdm = await use(startSandboxMdm());
const redis = await use(startRedisServer());
const replica = await use(startRedisServer());
await replica.command('REPLICAOF', '127.0.0.1', '1');
const sentinel = await use(startRedisSentinel());
const certificates = await use(makeCertificates(['IP:127.0.0.1']));
const { otherPort: tlsPort } = await use(
  startRedisServer({ args: ({ otherPort }) => certificates.besides(otherPort) }),
);
const silent = await startSilentPort();
await use(Promise.resolve({ close: async () => silent.close() }));
const lambda = await use(startLambdaEndpoint());
const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
await use(Promise.resolve({ close: async () => rmSync(folder, { recursive: true }) }));
await use(Promise.resolve({ close: closeSecrets }));
await createDocumentedUser(redis, 'functions', 'secret');
await redis.command('ACL', 'SETUSER', 'functions', '-xack', '-xclaim');
const closed = await freePort();
const secrets = await ownSecrets();
const aws = await use(
  startDeployedStack({ operations: 'core' }, () => ({
    ...healthyStack(),
    invoke: (name, event) => (name === 'mdm-check' ? mdmCheck : check)(event, contextOfCall()),
  })),
);
Object.assign(process.env, { AWS_ENDPOINT_URL: aws.url, AWS_ENDPOINT_URL_LAMBDA: lambda.url });

afterEach(() => {
  jest.restoreAllMocks();
  mdm.behave();
  secrets.failWith(undefined);
});

const local = (port: number, scheme = 'redis', login = '') => ({
  redis: { url: `${scheme}://${login}127.0.0.1:${port}` },
});
const ofMdm = (auth: object = {}, more: object = {}) => ({
  mdm: { ...mdm.secret, auth: { ...mdm.secret.auth, ...auth }, ...more },
});
const add: [Handler, object] = [xadd, { key: 'orders', entry: { a: '1' } }];
const read: [Handler, object] = [masterRead, { businessEntity: 'c360.person', businessId: '1' }];

interface World {
  /** The configuration, or the text of its file. */
  secret: object | string;
  /** Breaks what is around it. */
  breakIt?: () => unknown;
  call: [Handler, object];
  /** What a call says: cause, then cure. */
  says: RegExp[];
  /** What the doctor says; default: the same. */
  doctor?: RegExp[];
  /** Whether the fault is in AWS. */
  isRemote?: boolean;
}

const WORLDS: Record<string, World> = {
  'a typo in the host of Redis': {
    secret: { redis: { url: 'redis://no-such-host.invalid:6379' } },
    call: add,
    says: [/no-such-host\.invalid:6379 has no address/, /Check the host in redis\.url/],
  },
  'a wrong port of Redis': {
    secret: local(closed),
    call: add,
    says: [/nothing accepts connections at 127\.0\.0\.1:\d+/, /Check the port in redis\.url/],
  },
  'a firewall before Redis': {
    secret: { redis: { ...local(Number(new URL(silent.url).port)).redis, connectTimeoutMs: 300 } },
    call: add,
    says: [/no answer to the connection to 127\.0\.0\.1:\d+/, /Check security group, subnet and port/],
  },
  'a password with a #': {
    secret: { redis: { url: 'redis://u:pa#ss@127.0.0.1:6379' } },
    call: add,
    says: [/redis\/url/, /write # as %23/],
  },
  'TLS against a plain server': {
    secret: { redis: { ...local(redis.port, 'rediss').redis, connectTimeoutMs: 600 } },
    call: add,
    says: [/does not speak TLS/, /Use redis:\/\/ in the URL/],
  },
  'a plain URL of a TLS server': {
    secret: local(tlsPort),
    call: add,
    says: [/127\.0\.0\.1:\d+ speaks TLS/, /Use rediss:\/\/ in the URL/],
  },
  'a certificate of a private CA': {
    secret: local(tlsPort, 'rediss'),
    call: add,
    says: [/the certificate of 127\.0\.0\.1:\d+ is not trusted/, /Set redis\.ca/],
  },
  "a replica's address": {
    secret: local(replica.port),
    call: add,
    says: [/127\.0\.0\.1:\d+ is a replica/, /Use the address of the primary/],
    doctor: [/Redis 7[\d.]+, standalone, slave/, /This is a replica: give the address of the primary/],
  },
  'Sentinel mode against a plain server': {
    secret: { redis: { mode: 'sentinel', nodes: [redis.url], sentinelName: 'orders' } },
    call: add,
    says: [/is no Sentinel/, /set redis\.mode to "standalone"/],
  },
  'a Sentinel in place of a server': {
    secret: { redis: { url: sentinel.nodes[0] } },
    call: add,
    says: [/Redis does not know this command/, /A Sentinel, .* needs redis\.mode "sentinel"/],
    doctor: [/^server: Redis 7[\d.]+, sentinel, /m, /A Sentinel, .* needs redis\.mode "sentinel"/],
  },
  'cluster mode against a plain server': {
    secret: { redis: { mode: 'cluster', nodes: [redis.url] } },
    call: add,
    says: [/Redis is not a cluster/, /Set redis\.mode to "standalone"/],
  },
  'a port of another service': {
    secret: local(Number(new URL(mdm.url).port)),
    call: add,
    says: [/127\.0\.0\.1:\d+ ended the connection before it answered/, /Check the port in redis\.url/],
  },
  'a number of a database that the server does not have': {
    secret: { redis: { url: `${redis.url}/99` } },
    call: add,
    says: [/does not have the database number/, /Correct the number at the end of redis\.url/],
  },
  'a wrong password of Redis': {
    secret: local(redis.port, 'redis', 'functions:wrong@'),
    call: add,
    says: [/WRONGPASS/, /Correct user and password in redis\.url/],
  },
  'missing rights of the consumer': {
    secret: { ...ofMdm(), ...local(redis.port, 'redis', 'functions:secret@') },
    call: [consumer, { stream: 'rights', group: 'mdm' }],
    says: [/lacks \+xack, \+xclaim$/m, /Grant it with ACL SETUSER/],
    doctor: [/stream-consumer lacks .*\+xack.*\+xclaim/, /ACL SETUSER functions .*\+xack/],
  },
  'a clock that is an hour off': {
    secret: local(redis.port),
    breakIt: () =>
      jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000),
    call: [status, { stream: 'clock', group: 'mdm' }],
    says: [/clock is (59 min|1 h) ahead of that of Redis/, /set both by NTP/],
    doctor: [/clock is 3[56]\d\d s ahead of that of Redis/, /Set both clocks by NTP/],
  },
  'a target that does not exist': {
    secret: {
      ...local(redis.port),
      ingest: { stream: 'target', shards: 1, wake: false, consumer: { target: 'order-lines' } },
    },
    breakIt: async () => {
      lambda.respond = () => ({ status: 404, error: 'ResourceNotFoundException' });
      await redis.command('XADD', 'target:0', '*', 'a', '1');
    },
    call: [consumer, {}],
    says: [
      /"stoppedBecause":"(failing|upstream-unavailable|target-refuses)"/,
      /"lastFailure".*order-lines.*(does not exist|name)/,
    ],
    doctor: [/order-lines/, /Repair what the detail names/],
  },
  'an empty file': {
    secret: '',
    call: add,
    says: [/is empty/, /Store the configuration as text/],
    doctor: [/secret\.json is empty/, /npm run secret -- new writes one/],
  },
  'a typo in the host of the login': {
    secret: ofMdm({ loginUrl: 'https://no-such-host.invalid' }),
    call: read,
    says: [/login at no-such-host\.invalid.* the host has no address/, /Check mdm\.auth\.loginUrl/],
  },
  'a wrong password of the MDM': {
    secret: ofMdm({ password: 'wrong-password' }),
    call: read,
    says: [/refused the login .*The user name or password is not valid/, /Correct the credentials in mdm\.auth/],
  },
  'a captive portal': {
    secret: ofMdm(),
    breakIt: () => {
      const page = {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><title>Welcome</title>',
      };
      mdm.misbehave({ path: '/', ...page, times: null });
    },
    call: read,
    says: [/answered with an HTML page, title “Welcome”/, /Check mdm\.auth\.loginUrl .*mdm\.proxy/],
  },
  'an address of the API where it is not': {
    secret: ofMdm({}, { baseUrl: `${mdm.url}/mdm` }),
    call: read,
    says: [/The master data API answered 404/],
    doctor: [/^metadata: The master data API answered 404/m, /Check mdm\.baseUrl/],
  },
  'a password of the proxy with a #': {
    secret: ofMdm({}, { proxy: 'http://u:pa#ss@127.0.0.1:3128' }),
    call: read,
    says: [/\/mdm\/proxy has a reserved character/, /write # as %23/],
  },
  'a secret that AWS denies': {
    secret: local(redis.port),
    breakIt: () => secrets.failWith('AccessDeniedException'),
    call: add,
    says: [/AWS refused it \(AccessDeniedException\)/, /Allow secretsmanager:GetSecretValue/],
    isRemote: true,
  },
  'a key that the role may not use': {
    secret: local(redis.port),
    breakIt: () => secrets.failWith('AccessDeniedException', 'Access to KMS is not allowed'),
    call: add,
    says: [/AWS could not decrypt it/, /Allow kms:Decrypt .*kmsKeyArn/],
    isRemote: true,
  },
  'a secret of another name': {
    secret: local(redis.port),
    breakIt: () => secrets.failWith('ResourceNotFoundException'),
    call: add,
    says: [/configRef names no connector configuration/, /Create the secret <secretPrefix><configRef>/],
    isRemote: true,
  },
};

let worlds = 0;

it.each(Object.entries(WORLDS))('%s: a call and the doctor name the cause and the cure', async (_, world) => {
  const configRef = `world-${++worlds}`;
  await putSecret(configRef, world.secret);
  await world.breakIt?.();

  const [handler, parameters] = world.call;
  const { text } = await postSource(handler, { configRef, ...parameters }, { timeoutMs: 8000 });
  const said = world.isRemote ? await askRemote(configRef) : await askDoctor(world.secret);

  for (const part of world.says) expect(textOf(text)).toMatch(part);
  for (const part of world.doctor ?? world.says) expect(said).toMatch(part);
  expect(text + said).not.toMatch(/wrong-password|pa#ss|sandbox-password|secret@/);
});

/** The detail and the hint of a problem; a status as `npm run status` explains it; another output as it is. */
function textOf(response: string): string {
  const output = JSON.parse(response) as { detail?: string; hint?: string } | GroupStatus[];
  if (Array.isArray(output)) return output.map((row) => explainStatus(row, Date.now())).join('\n');
  const { detail, hint } = output;
  return detail === undefined ? response : `${detail}\n→ ${hint}`.replace(/\n→ undefined$/, '');
}

/** What `npm run doctor -- --secret secret.json` finds. */
async function askDoctor(secret: object | string): Promise<string> {
  const path = join(folder, 'secret.json');
  writeFileSync(path, typeof secret === 'string' ? secret : JSON.stringify(secret));
  try {
    return await collect(examineSecret(path, await readSecret(path), undefined));
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}

/** What `npm run doctor -- --remote` finds of this configuration. */
function askRemote(configRef: string): Promise<string> {
  const given = readParameters({
    service: 'mdm-stream',
    stage: 'prod',
    commandLine: [],
    file: { operations: 'core' },
    blocks: {},
  });
  const { AWS_ENDPOINT_URL_LAMBDA: _url } = process.env;
  delete process.env.AWS_ENDPOINT_URL_LAMBDA;
  return collect(
    examineDeployment({ stage: 'prod', region: 'eu-central-1' }, given, {
      configRefs: [configRef],
      businessEntity: undefined,
    }),
  );
}

async function collect(sections: AsyncIterable<Section>): Promise<string> {
  const lines: string[] = [];
  for await (const { checks } of sections) {
    const unpassed = checks.filter(({ status }) => status === 'failed' || status === 'warning');
    lines.push(...unpassed.map(({ name, detail, hint }) => `${name}: ${detail}\n→ ${hint}`));
  }
  return lines.join('\n');
}
