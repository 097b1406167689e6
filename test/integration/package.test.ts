import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { functions } from '../../scripts/functions.ts';
import { httpEvent } from '../../scripts/sandbox/http-event.ts';
import { startRedisServer, type RedisServer } from '../../scripts/sandbox/redis-server.ts';
import { startRuntime, type Runtime } from '../../scripts/sandbox/runtime/runtime.ts';
import { packageStage, type Resource } from '../support/packaged-template.ts';
import { startMdmStack, type MdmStack } from '../support/mdm-sandbox.ts';

/** What a minified bundle may take, in kB of 1000 bytes: a cold start parses all of it. */
const BUDGETS_KB = { mdm: 350, stream: 560, consumer: 600 };

interface Bill {
  components: { name: string; version: string }[];
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
const digests = (directory: string) =>
  zipsIn(directory).map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex'),
  ]);

beforeAll(async () => {
  resources = await packageInto(join(work, 'first'));
}, 180_000);
afterAll(() => rmSync(work, { recursive: true }));

const ofType = (type: string, among = resources) => among.filter((resource) => resource.Type === type);

describe('npm run package, without AWS credentials', () => {
  it('gives one zip a function, named as the template names it', () => {
    expect(zipsIn(join(work, 'first')).sort()).toEqual(names.map((name) => `${name}.zip`).sort());
    expect(ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.FunctionName)).toEqual(
      expect.arrayContaining(names.map((name) => `mdm-stream-dev-${name}`)),
    );
  });

  it('gives the same bytes for the same input, whatever the stage', async () => {
    const forProd = await packageInto(join(work, 'second'), 'prod');

    expect(digests(join(work, 'second'))).toEqual(digests(join(work, 'first')));
    expect(JSON.stringify(forProd)).toContain('mdm-stream-prod-stream-xadd');
  }, 180_000);

  it('runs every function on nodejs24.x and arm64, with a role and a log retention of its own', () => {
    for (const { Properties } of ofType('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const roles = ofType('AWS::Lambda::Function').map(({ Properties }) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(names.length);
    for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(30);
    expect(ofType('AWS::Logs::LogGroup')).toHaveLength(names.length + 1); // and the API's access log
  });

  it('ships the bundle, its bill of materials and the licences, and no source map that nothing reads', () => {
    const files = Object.keys(unzip('stream-xadd')).sort();

    expect(files.map((file) => basename(file))).toEqual(['NOTICES.txt', 'bom.cdx.json', 'index.cjs']);
    expect(textIn('stream-xadd', 'index.cjs')).not.toContain('sourceMappingURL');
  });

  it.each(names)('holds %s under its size budget', (name) => {
    const { operation } = functions.find((candidate) => candidate.name === name)!;
    const usual = operation?.deploy.usesRedis ? BUDGETS_KB.stream : BUDGETS_KB.mdm;
    const budgetKb = operation?.deploy.scheduled ? BUDGETS_KB.consumer : usual;

    expect(textIn(name, 'index.cjs').length / 1000).toBeLessThan(budgetKb);
  });

  it.each(names)('names every package of %s in its bill, with its licence', (name) => {
    const bill = JSON.parse(textIn(name, 'bom.cdx.json')) as Bill;
    const components = bill.components.map((one) => `${one.name} ${one.version}`);
    const notices = textIn(name, 'NOTICES.txt');
    const map = JSON.parse(readFileSync(`dist/${name}/index.cjs.map`, 'utf8')) as { sources: string[] };
    const inMap = map.sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);

    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    for (const one of new Set(inMap)) expect(components.join('\n')).toContain(`${one} `);
    for (const component of components) expect(notices).toContain(component);
  });
});

describe('an unpacked zip, under the runtime client of AWS', () => {
  let stack: MdmStack;
  let redis: RedisServer;
  const runtimes: Runtime[] = [];

  beforeAll(async () => {
    for (const name of names) unpack(name);
    [stack, redis] = await Promise.all([startMdmStack(), startRedisServer()]);
    const ingest = { stream: 'cities', shards: 1 };
    stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url }, ingest });
  }, 180_000);
  afterAll(async () => {
    await Promise.all(runtimes.map((runtime) => runtime.stop()));
    await Promise.all([stack.close(), redis.stop()]);
  });

  async function start(name: string): Promise<Runtime> {
    const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url };
    const handler = `dist/${name}/index.handler`;
    const functionName = `mdm-stream-dev-${name}`;
    const runtime = await startRuntime({ taskRoot: join(work, 'unpacked', name), handler, functionName, env });
    runtimes.push(runtime);
    return runtime;
  }

  it.each(functions.map(({ name }) => name))('%s responds', async (name) => {
    const { operation, documents = [] } = functions.find((candidate) => candidate.name === name)!;
    const runtime = await start(name);
    const call = async (event: object) => JSON.parse((await runtime.invoke(JSON.stringify(event))).payload) as Response;

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
    for (const path of documents.filter((path) => !path.includes('{'))) {
      expect((await call(httpEvent('GET', path))).statusCode).toBeLessThan(400);
    }
    await runtime.stop();
  });

  it('carries the trace of a call from the API through the stream to the MDM, and into the logs', async () => {
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
    const [enqueue, consume] = await Promise.all([start('mdm-source-enqueue'), start('stream-consumer')]);

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
    expect(JSON.parse(runLine)).toMatchObject({ traceId: '5759e988bd862e3fe1be46a994272793' }); // of the run, from X-Ray
  }, 180_000);
});
