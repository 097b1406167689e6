import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { unzipSync } from 'fflate';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bundleFunction } from '#scripts/build/bundle.ts';
import { ensureBundles } from '#scripts/build/bundles.ts';
import { LEFT_OUT } from '#scripts/build/left-out.ts';
import { functionEntries } from '#deploy/functions.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { functions } from '#scripts/build/functions.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import type { Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startContainer } from '../../support/aws/container.ts';
import { packageStage, type Resource } from '../../support/aws/packaged-template.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { runtimesOf, type Runtimes } from '../../support/stack/runtimes.ts';

/** What a zip may hold unpacked, all files, in kB of 1000 bytes: of the MDM alone, of Redis alone, and of both. */
const BUDGETS_KB = { mdm: 445, redis: 612, both: 880 };

interface SourceMapFile {
  sources: string[];
}

interface Bill {
  components: { name: string; version: string; scope?: string; pedigree?: { notes: string } }[];
}

/** What a function responds with: over HTTP, or as a failed invocation. */
interface Response {
  statusCode: number;
  body: string;
  errorType: string;
  errorMessage: string;
}

const names = functions.map(({ name }) => name).sort();
const work = mkdtempSync(join(tmpdir(), 'package-'));
let resources: Resource[];

async function packageInto(directory: string, stage?: string): Promise<Resource[]> {
  return Object.values((await packageStage({ stage, directory })).Resources);
}

const zipsIn = (directory: string) => readdirSync(directory).filter((file) => file.endsWith('.zip'));
const unzip = (name: string) => unzipSync(readFileSync(join(work, 'first', `${name}.zip`)));
function unpack(name: string): void {
  for (const [path, bytes] of Object.entries(unzip(name))) {
    const target = join(work, 'unpacked', name, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}
const textIn = (name: string, file: string) => Buffer.from(unzip(name)[`dist/${name}/${file}`]!).toString();
/** Names of the files of a kind that are not the same in two folders, or in one of them only. */
function differences(kind: string, first: string, second: string): string[] {
  const read = (directory: string, file: string) => {
    const path = join(directory, file);
    return existsSync(path) ? readFileSync(path, 'latin1') : undefined;
  };
  const names = new Set([...readdirSync(first), ...readdirSync(second)].filter((file) => file.endsWith(kind)));
  return [...names].filter((file) => read(first, file) !== read(second, file));
}

/**
 * Packages of which a source map of a function says that its bundle holds something, and which its bill does not name.
 */
function unlisted(name: string, { components }: Bill): string[] {
  const maps = readdirSync(`dist/${name}`).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap(
    (file) => (JSON.parse(readFileSync(`dist/${name}/${file}`, 'utf8')) as SourceMapFile).sources,
  );
  const held = new Set(sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  return [...held].filter((one) => !components.some((component) => component.name === one));
}

beforeAll(async () => {
  ensureBundles(); // a stack that was packaged before needs none
  resources = await packageInto(join(work, 'first'));
}, 180_000);
afterAll(() => rmSync(work, { recursive: true }));

const ofType = (type: string, among = resources) => among.filter((resource) => resource.Type === type);

describe('serverless package, without AWS credentials', () => {
  it('serverless package makes one zip per function, named as the template names it', () => {
    expect(zipsIn(join(work, 'first')).sort()).toEqual(names.map((name) => `${name}.zip`).sort());
    expect(ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName)).toEqual(
      expect.arrayContaining(names.map((name) => `mdm-stream-dev-${name}`)),
    );
  });

  it('serverless package makes the same bytes from the same input, whatever the stage', async () => {
    const forProd = await packageInto(join(work, 'second'), 'prod');

    expect(zipsIn(join(work, 'second')).length).toBe(names.length);
    expect(differences('.zip', join(work, 'first'), join(work, 'second'))).toEqual([]);
    expect(JSON.stringify(forProd)).toContain('mdm-stream-prod-stream-xadd');
  }, 180_000);

  it('serverless package builds the same bytes from the same sources; a planted byte is found', async () => {
    const { handler } = functions.find(({ name }) => name === 'stream-consumer')!;
    const [one, other] = [join(work, 'build-1'), join(work, 'build-2')];
    await bundleFunction(handler, one);
    await bundleFunction(handler, other);

    expect(readdirSync(one).length).toBeGreaterThan(5);
    expect(differences('', one, other)).toEqual([]);
    appendFileSync(join(other, 'index.cjs'), ' ');
    writeFileSync(join(one, 'new.cjs'), ' ');
    expect(differences('', one, other)).toEqual(expect.arrayContaining(['index.cjs', 'new.cjs']));
  }, 60_000);

  it('serverless package runs every function on nodejs24.x and arm64, with its own role and log retention', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const roles = ofType('AWS::Lambda::Function').map(({ Properties }) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(names.length);
    const days = ofType('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays);
    expect(new Set(days)).toEqual(new Set([30, 400])); // 400 where an audit line is written
    expect(ofType('AWS::Logs::LogGroup')).toHaveLength(names.length + 1); // and the API's access log
  });

  it('serverless package ships the bundle, its bill of materials and licences, and no unused source map', () => {
    const files = Object.keys(unzip('stream-xadd')).map((file) => basename(file));

    expect(files.filter((file) => !/^(chunk|event-streams)-\w+\.cjs$/.test(file)).sort()).toEqual([
      'NOTICES.txt',
      'bom.cdx.json',
      'index.cjs',
    ]);
    expect(textIn('stream-xadd', 'index.cjs')).not.toContain('sourceMappingURL');
  });

  it.each(names)('serverless package keeps %s under its size budget', (name) => {
    const { usesRedis, wakesConsumer } = functions.find((one) => one.name === name)!.operation?.deploy ?? {};
    const budgetKb = wakesConsumer ? BUDGETS_KB.both : usesRedis ? BUDGETS_KB.redis : BUDGETS_KB.mdm;
    const bytes = Object.values(unzip(name)).reduce((sum, { length }) => sum + length, 0);

    expect(bytes / 1000).toBeLessThan(budgetKb);
  });

  it('serverless package ships the store for shared sessions only where Redis is reached', () => {
    const withStore = names.filter((name) =>
      Object.keys(unzip(name)).some((file) => file.includes('redis-session-store')),
    );
    const commandLine = ['sharedSession=on'];
    const shared = readParameters({ service: 'mdm-stream', stage: 'dev', commandLine, blocks: {} });

    expect(withStore).toEqual(['mdm-source-enqueue', 'mdm-source-enqueue-batch', 'stream-consumer']);
    expect(functionEntries(shared)['mdm-search']!.package).toEqual({
      patterns: ['dist/mdm-search/*', '!dist/mdm-search/*.map'],
    });
  });

  it.each(names)('serverless package names every package of %s in its bill, with its licence', (name) => {
    const bill = JSON.parse(textIn(name, 'bom.cdx.json')) as Bill;
    const components = bill.components.map((one) => `${one.name} ${one.version}`);
    const notices = textIn(name, 'NOTICES.txt');

    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(unlisted(name, bill)).toEqual([]);
    for (const component of components) expect(notices).toContain(component);
  });

  it.each(names)('serverless package says in the bill and notices of %s what is left out of its packages', (name) => {
    const { components } = JSON.parse(textIn(name, 'bom.cdx.json')) as Bill;
    const notices = textIn(name, 'NOTICES.txt');
    const held = (one: string) =>
      components.some((component) => component.name === one && component.scope === undefined);

    for (const row of LEFT_OUT.filter((row) => components.some((one) => one.name === row.package))) {
      const { pedigree } = components.find((one) => one.name === row.package)!;
      expect(pedigree!.notes).toContain(`${row.module} (${row.why})`);
      expect(notices).toContain(`${row.package} ${row.version}: `);
    }
    expect(['@aws-sdk/credential-provider-node', 'fetch-blob', 'formdata-polyfill'].filter(held)).toEqual([]);
    expect(held('@redis/client')).toBe(notices.includes('most of dist/lib/commands/index.js'));
  });

  it('a package missing from a bill would be found', () => {
    const { components } = JSON.parse(textIn('stream-consumer', 'bom.cdx.json')) as Bill;

    for (const name of ['@aws-sdk/core', '@redis/client', '@smithy/core', 'node-fetch']) {
      const planted = { components: components.filter((one) => one.name !== name) };
      expect(unlisted('stream-consumer', planted)).toEqual([name]);
    }
  });
});

describe('an unpacked zip under the AWS runtime client', () => {
  let stack: MdmStack;
  let redis: RedisServer;
  let runtimes: Runtimes;
  /** One container for all local bundles, as tests and the local stack have it. */
  let local: Lambda;

  beforeAll(async () => {
    for (const name of names) unpack(name);
    [stack, redis] = await Promise.all([startMdmStack(), startRedisServer()]);
    runtimes = runtimesOf(stack, (name) => join(work, 'unpacked', name));
    local = await startContainer(stack.secrets);
    const ingest = { stream: 'cities', shards: 1 };
    stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url }, ingest });
  }, 180_000);
  afterAll(async () => {
    await Promise.all([runtimes.stop(), local.stop()]);
    await Promise.all([stack.close(), redis.stop()]);
  });

  const bundles = functions.flatMap(({ name }) => [[name, 'its zip'] as const, [name, 'its local bundle'] as const]);
  it.each(bundles)('%s responds from %s', async (name, form) => {
    const { operation, routes = [] } = functions.find((candidate) => candidate.name === name)!;
    const runtime = form === 'its zip' ? await runtimes.start(name) : undefined;
    const call = async (event: object): Promise<Response> => {
      if (!runtime) return local.invoke<Response>(name, event).catch((failure: Response) => failure);
      return JSON.parse((await runtime.invoke(JSON.stringify(event))).payload) as Response;
    };

    if (operation) {
      const refused = await call({ noSuchThing: 1 });
      expect(refused.errorType).toMatch(/^(MDM:CLIENT_ERROR|STREAM:ARGUMENT)$/);
      expect(refused.errorMessage).toContain('/noSuchThing is not known');
    }
    if (operation?.deploy.http) {
      const { input } = operation.example;
      const response = await call(httpEvent('POST', operation.route, JSON.stringify(input)));
      expect([200, 204, 400, 404, 409, 422]).toContain(response.statusCode); // the example may name what is not there
      if (response.statusCode >= 400) expect(JSON.parse(response.body)).toMatchObject({ type: expect.any(String) });
    }
    for (const route of routes.filter((route) => !route.includes('{'))) {
      const [method, path] = route.split(' ') as [string, string];
      expect((await call(httpEvent(method, path))).statusCode).toBeLessThan(400);
    }
    await runtime?.stop();
  });

  it('a packaged function logs in for itself if sessions are shared but the deployment has no store', async () => {
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'nowhere' };
    const mdm = { ...stack.mdm.secret, sessionStore: 'redis' };
    stack.secrets.set('test/shared', { mdm, redis: { url: redis.url } });
    const runtime = await runtimes.start('mdm-master-read');
    const before = stack.mdm.logins;

    const { payload } = await runtime.invoke(JSON.stringify({ configRef: 'shared', ...key }));

    expect(JSON.parse(payload)).toMatchObject({ errorType: 'MDM:CLIENT_ERROR' }); // there is no such record
    expect(stack.mdm.logins - before).toBe(1);
    expect(runtime.log.join('\n')).toContain('the session is not shared: sharedSession is off');
  }, 30_000);

  it("packaged functions carry a call's trace from the API through the stream to the MDM and the logs", async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-correlation-id': 'order-17' };
    const record = { name: 'Bonn', country: { Code: 'DE' } };
    const city = {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: 'trace-1',
      record,
      stream: 'traced',
    };
    const [enqueue, consume] = await Promise.all([
      runtimes.start('mdm-source-enqueue'),
      runtimes.start('stream-consumer'),
    ]);

    await enqueue.invoke(JSON.stringify(httpEvent('POST', '/mdm/source-enqueue', JSON.stringify(city), headers)));
    const entries = JSON.stringify(await redis.command('XRANGE', 'traced:0', '-', '+'));
    const run = await consume.invoke(JSON.stringify({ stream: 'traced:0', group: 'mdm' }));

    expect(entries).toMatch(new RegExp(`"_traceparent","00-${traceId}-[0-9a-f]{16}-01","_correlationId","order-17"`));
    expect(JSON.parse(run.payload)).toMatchObject({ processed: 1, failed: 0 });
    const submitted = stack.mdm.requests.find(({ url }) => url.includes('trace-1'))!;
    expect(submitted.headers).toMatchObject({ 'x-correlation-id': 'order-17' });
    expect(submitted.headers.traceparent).toContain(traceId);
    expect(submitted.body).not.toContain('trace');
    const runLine = consume.log.find((line) => line.includes('"message":"run"'))!;
    // of the run, from X-Ray
    expect(JSON.parse(runLine)).toMatchObject({ traceId: '5759e988bd862e3fe1be46a994272793' });
  }, 180_000);
});
