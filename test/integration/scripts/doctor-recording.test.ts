import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, isAlike } from '#scripts/doctor/recording/compare.ts';
import { closeSecrets } from '#scripts/doctor/own-secrets.ts';
import { KNOWN, SHOWN_BY, isShownBy } from '#scripts/doctor/recording/known.ts';
import { fillSandbox, recordDialects, recordTenant } from '#scripts/doctor/recording/record.ts';
import { dialectOf, startSandboxMdm, type Dialect, type SandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { listen } from '#sandbox/network/listen.ts';
import { readRecording, writeRecording, type Recording } from '#sandbox/mdm/recording/recording.ts';
import { use } from '../../support/jest/use.ts';
import { startLocalStack } from '../../support/stack/local-stack.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';

/* A tenant is recorded once, compared with the sandbox, and played by it: in both dialects, and in a third. */

const PERSON = 'c360.person';
const SECRETS = ['Ada', 'Lovelace', 'Hopper', 'London', 'Afghanistan', 'sandbox-password', 'person-0', 'sid-'];
/** What is asked without --write. */
const READS = [
  'codelist-changes',
  'codelist-read',
  'codelist-value',
  'data-model',
  'entity',
  'job-read-unknown',
  'login',
  'master-read',
  'master-read-unknown',
  'match',
  'match-nothing',
  'merge-preview',
  'relationship-read',
  'relationship-search',
  'relationships',
  'search',
  'search-nothing',
  'source-list',
  'source-read-found',
];
const WRITES = ['delete', 'patch', 'source-read', 'source-read-deleted', 'submit'];
const folder = mkdtempSync(join(tmpdir(), 'recording-'));
await use(Promise.resolve({ close: async () => rmSync(folder, { recursive: true }) }));
await use(Promise.resolve({ close: closeSecrets }));

/** Answers writes with 202 and a special body, takes another media type, and pages differently. */
const THIRD: Dialect = {
  ...dialectOf('public'),
  name: 'public',
  patchTypes: ['application/json-patch+json'],
  headers: (requestId) => ({ 'Tracking-Id': requestId }),
  written: ({ body }) => ({ status: 202, body: { ...body, state: 'queued' } }),
  found: (result) => ({ ...result, tookMs: 12 }),
};
const TENANTS: [string, SandboxOptions['dialect']][] = [
  ['public', 'public'],
  ['service', 'service'],
  ['third', THIRD],
];

async function startTenant(options: SandboxOptions): Promise<SandboxMdm> {
  const tenant = await startSandboxMdm(options);
  fillSandbox(tenant);
  return tenant;
}

async function recordOf(options: SandboxOptions, write: string | undefined = PERSON): Promise<Recording> {
  const tenant = await startTenant(options);
  const recording = await recordTenant(tenant.secret, write);
  await tenant.close();
  return recording;
}

/** The steps that end with an error. */
const failed = (recording: Recording) =>
  Object.keys(recording)
    .filter((step) => recording[step]!.at(-1)!.status >= 400)
    .toSorted();

const dialects = await recordDialects();

/** Ids of the statements in which a recording differs from this dialect. */
const differences = (recording: Recording, name: string) =>
  compare(recording, dialects)
    .filter(({ tenant, dialects }) => !isAlike(tenant, dialects[name] ?? ''))
    .map(({ id }) => id);

describe.each(TENANTS)('a tenant in the dialect %s', (name, dialect) => {
  it('a recording of a tenant has no values, and the sandbox can play it', async () => {
    const recording = await recordOf({ dialect });
    const path = join(folder, name);
    writeRecording(path, recording);
    const text = readdirSync(path)
      .map((file) => readFileSync(join(path, file), 'utf8'))
      .join('\n');

    expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain('=mdm-stream doctor');
    expect(Object.keys(recording).toSorted()).toEqual([...READS, ...WRITES].toSorted());
    expect(failed(recording)).toEqual(['job-read-unknown', 'master-read-unknown', 'source-read-deleted']);

    const played = await recordOf({ recording: readRecording(path) });

    expect(
      compare(played, { recorded: recording }).filter(({ tenant, dialects }) => tenant !== dialects.recorded),
    ).toEqual([]);
  });
});

it('npm start -- --recording carries its records into a sandbox that responds like the recorded tenant', async () => {
  const path = join(folder, 'played');
  writeRecording(path, await recordOf({ dialect: THIRD }));
  const stack = await startLocalStack(['--recording', path, '--once', '--records', '100']);

  const exitCode = await stack.ended();

  expect(stack.output).toContain('Every record is accounted for');
  expect(exitCode).toBe(0);
}, 120_000);

describe('npm run doctor -- --compare', () => {
  it.each(['public', 'service'])(
    'npm run doctor -- --compare finds no difference between a tenant in the dialect %s and that dialect',
    async (name) => {
      const recording = await recordOf({ dialect: name as 'public' });

      expect(differences(recording, name)).toEqual([]);
      expect(differences(recording, name === 'public' ? 'service' : 'public')).not.toEqual([]);
    },
  );

  it('npm run doctor -- --compare names each statement in which a third tenant differs', async () => {
    const recording = await recordOf({ dialect: THIRD });

    const found = differences(recording, 'public');

    expect(found).toEqual(
      expect.arrayContaining([
        'submit.statuses',
        'submit.body.state',
        'patch.statuses',
        'search.body.searchResult.tookMs',
      ]),
    );
    expect(found).toEqual(expect.arrayContaining(['search.header.tracking-id', 'search.header.infa-request-id']));
    expect(found.filter((id) => id.startsWith('source-list.body'))).toEqual([]);
  });

  it('npm run doctor writes nothing without --write', async () => {
    const tenant = await startTenant({ dialect: 'public' });
    const recording = await recordTenant(tenant.secret);
    const reads = /saas|search|\/filter|preview-entity|\/export/;
    const writes = tenant.requests.filter(({ method, url }) => method !== 'GET' && !reads.test(url));
    await tenant.close();

    expect(writes.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    expect(Object.keys(recording).toSorted()).toEqual(READS);
  });
});

describe('npm run doctor records a tenant whatever its login', () => {
  const failures = ['job-read-unknown', 'master-read-unknown'];

  it('with the path of the login service at the end of loginUrl', async () => {
    const tenant = await startTenant({ dialect: 'public' });
    const { auth, ...rest } = tenant.secret;
    const loginUrl = `${auth.loginUrl}/identity-service`;
    const recording = await recordTenant({ ...rest, auth: { ...auth, type: 'login-identity', loginUrl } });
    await tenant.close();

    expect(Object.keys(recording).toSorted()).toEqual(READS);
    expect(failed(recording)).toEqual(failures);
  });

  it('with tokens of an identity provider that only the proxy reaches', async () => {
    const tenant = await startTenant({ dialect: 'public' });
    const proxy = await listen(
      createServer().on('connect', (_, client, head) => {
        const server = connect(Number(new URL(tenant.url).port), '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\n\r\n');
          server.write(head);
          server.pipe(client).pipe(server);
        });
        for (const socket of [client, server]) socket.on('error', () => server.destroy());
      }),
    );
    const nowhere = 'http://127.0.0.2:9';
    const { auth } = tenant.oauthSecret;
    const tokenUrl = auth.tokenUrl.replace(tenant.url, nowhere);
    const recording = await recordTenant({
      auth: { ...auth, loginUrl: nowhere, tokenUrl },
      baseUrl: nowhere,
      proxy: proxy.url,
    });
    await Promise.all([proxy.close(), tenant.close()]);

    expect(Object.keys(recording).toSorted()).toEqual(READS);
    expect(failed(recording)).toEqual(failures);
    expect(JSON.stringify(recording)).not.toMatch(/idp-|client_secret|grant_type/);
  });
});

it('says why the record of --write was refused, and records nothing that is not so', async () => {
  const tenant = await startTenant({ dialect: 'public' });
  const recorded = recordTenant(tenant.secret, 'c360.city');

  await expect(recorded).rejects.toThrow(
    /^The record for c360\.city was not written, so nothing is recorded: .*Field country is required\. Name another/,
  );
  await tenant.close();
});

describe('what is known of the API', () => {
  const said = (recording: Recording) => compare(recording, dialects).map(({ id }) => id);

  it('each statement about the API can be seen in a recording', async () => {
    const inside = await recordOf({ dialect: THIRD, dataModel: { sourceSystemsAt: 'entity' } });
    const ids = [dialects.public!, dialects.service!, inside].flatMap(said);
    const patterns = Object.values(SHOWN_BY).flat();

    expect(Object.keys(SHOWN_BY).filter((id) => !KNOWN.some((one) => one.id === id))).toEqual([]);
    expect(patterns.filter((pattern) => !ids.some((id) => isShownBy(id, pattern)))).toEqual(['*.header.x-request-id']);
  });
});

describe('npm run doctor', () => {
  function doctor(...args: string[]): Promise<{ code: number; output: string }> {
    const env = { ...BARE_ENVIRONMENT, NO_COLOR: '1' };
    return new Promise((resolve) => {
      execFile(process.execPath, ['scripts/doctor.ts', ...args], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, output: out + err }),
      );
    });
  }

  it('npm run doctor records a tenant and says where it differs from the sandbox', async () => {
    const tenant = await startTenant({ dialect: THIRD });
    const secret = join(folder, 'secret.json');
    writeFileSync(secret, JSON.stringify({ mdm: tenant.secret }));
    const into = join(folder, 'by-command');
    const { code, output } = await doctor('--secret', secret, '--record', into, '--write', PERSON, '--compare', into);
    await tenant.close();

    expect(code).toBe(2);
    expect(output).toMatch(/Recorded login, .*source-read-deleted in .*by-command/);
    expect(output).toMatch(
      /✗ all\/writes {2}A write answers 201 .*\(the service, 2021; as in no dialect\)\n(?: {6}.*\n)* {6}✗ submit\.statuses {2}202 \(as in no dialect; public: 20[01], service: 20[14]\)/,
    );
    expect(output).toMatch(/✓ match\/path {2}Path, .*\(the vendor; as in public and service\)\n/);
    expect(output).toMatch(/! source-list\/pages {2}Pages of ten, .*\(the service, 2021; as in public\)\n/);
    expect(output).toMatch(/Beyond that\n(?: {2}.*\n)* {2}! \*\.header\.content-type {2}.* in \d+ steps\n/);
    expect(output).toMatch(/– not shown by this recording: .*merge\/path/);
    expect(output).toMatch(/\d+ statements: \d+ as in public, \d+ as in service; \d+ as in no dialect/);
    expect(tenant.records.allSources(PERSON)).toHaveLength(2);
  });

  it.each([
    [['--record', 'x'], /^Give either --secret/],
    [['--remote', '--stage', 'prod', '--record', 'x'], /^--record needs --secret/],
    [['--secret', 'x', '--write', PERSON], /^--write needs --record/],
    [['--compare', 'no-such-folder'], /no-such-folder/],
  ])('npm run doctor %j prints one sentence and exits with 1', async (args, sentence) => {
    const { code, output } = await doctor(...args);

    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).toMatch(sentence);
  });
});
