import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { functions } from '#scripts/build/functions.ts';
import { invokeSource } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';

/* npm run migrate, and the examples of docs/guides/from-mule.md: converted by it, and called. */

const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMESPACES =
  'xmlns="http://www.mulesoft.org/schema/mule/core" xmlns:doc="http://www.mulesoft.org/schema/mule/documentation" ' +
  'xmlns:b360="http://www.mulesoft.org/schema/mule/b360" xmlns:http="http://www.mulesoft.org/schema/mule/http" ' +
  'xmlns:lettuce-redis="http://www.mulesoft.org/schema/mule/lettuce-redis"';
const applicationOf = (elements: string) => `<mule ${NAMESPACES}>\n${elements}\n</mule>`;

interface Call {
  line: number;
  operation: string;
  input: Record<string, unknown>;
  toFillIn: Record<string, string>;
}
function migrate(xml: string) {
  const path = join(folder, 'app.xml');
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  writeFileSync(path, xml);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/migrate.ts', path, '--out', out], {
    encoding: 'utf8',
  });
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const json = <T>(name: string) => JSON.parse(read(name)) as T;
  return { status, stdout, stderr, read, json };
}

const guide = readFileSync('docs/guides/from-mule.md', 'utf8');
const examples = [...guide.matchAll(/<!-- mule -->\n\n```xml\n([^]*?)```\n[^]*?```json\n([^]*?)```/g)].map(
  ([, xml, json]) => ({ xml: xml!, input: JSON.parse(json!) as Record<string, unknown> }),
);

describe('the guide from Mule', () => {
  it('the Mule guide has an example of each operation, and each converts as shown', () => {
    const { json, status } = migrate(
      applicationOf(`<flow name="all">${examples.map(({ xml }) => xml).join('')}</flow>`),
    );

    const calls = json<Call[]>('calls.json');
    expect(status).toBe(0);
    expect(calls.map(({ input }) => input)).toEqual(examples.map(({ input }) => input));
    expect(new Set(calls.map(({ operation }) => operation)).size).toBe(16);
    expect(calls.every(({ toFillIn }) => Object.keys(toFillIn).length === 0)).toBe(true);
  });

  it('shows the state that npm run migrate writes', () => {
    const [, shown = ''] = /<!-- state -->\n\n```json\n([^]*?)```/.exec(guide) ?? [];
    const { json } = migrate(applicationOf(`<flow name="submit">${examples[0]!.xml}</flow>`));

    const { States } = json<{ States: Record<string, object> }>('submit.asl.json');
    expect([JSON.parse(shown)]).toEqual(Object.values(States));
  });

  it('shows calls that the functions take', async () => {
    const stack = await use(startMdmStack());
    const redis = await use(startRedisServer());
    const configRef = stack.configure({}, { redis: { url: redis.url } });
    const { json } = migrate(applicationOf(`<flow name="all">${examples.map(({ xml }) => xml).join('')}</flow>`));

    for (const { operation, input } of json<Call[]>('calls.json')) {
      const { handler: path } = functions.find(({ name }) => name === operation)!;
      const { handler } = (await import(join(process.cwd(), path))) as { handler: Handler };

      await expect(invokeSource(handler, { ...input, configRef })).resolves.toBeDefined();
    }
  });

  it('names every parameter of the contracts that it uses', () => {
    const names = new Set(registry.flatMap(({ input }) => Object.keys(input.properties)));

    expect(examples.flatMap(({ input }) => Object.keys(input)).filter((name) => !names.has(name))).toEqual([]);
  });
});

const HARD = applicationOf(`
  <b360:config name="MDM"><b360:basic-connection username="ann" password="hunter2"
    baseUrl="https://dm-us.example.com/saas/public/core/v3/login"/></b360:config>
  <lettuce-redis:config name="Redis"><lettuce-redis:connection host="redis.example.com" port="6380" tls="true"
    password="s3cret" commandTimeout="5" commandTimeoutUnit="SECONDS"/></lettuce-redis:config>
  <lettuce-redis:config name="Other Redis"><lettuce-redis:connection host="\${redis.host}" port="6379" tls="false"
    password="x"/></lettuce-redis:config>
  <flow name="carry">
    <http:listener path="/x"/>
    <lettuce-redis:xreadgroup config-ref="Redis" group="g" consumer="c" streams="#[[{key: 'a', id: '>'}]]"/>
    <foreach>
      <b360:source-submit config-ref="MDM" businessEntity="c360.city" sourceSystem="\${system}"
        sourcePKey="#[payload.id]">
        <b360:body>#[payload.entry mapObject {}]</b360:body>
      </b360:source-submit>
      <lettuce-redis:xack config-ref="Other Redis" key="a" group="g" ids="#[[payload.id]]"/>
    </foreach>
    <lettuce-redis:hset config-ref="Redis" key="a"/>
  </flow>`);

describe('npm run migrate', () => {
  it('names expressions, placeholders and unknown elements, with their lines, and guesses none', () => {
    const { stdout, json } = migrate(HARD);

    const submit = json<Call[]>('calls.json').find(({ operation }) => operation === 'mdm-source-submit')!;
    expect(submit.input).toEqual({ businessEntity: 'c360.city' });
    expect(submit.toFillIn).toEqual({
      sourceSystem: '${system}',
      sourcePKey: '#[payload.id]',
      record: '#[payload.entry mapObject {}]',
    });
    expect(submit.line).toBe(13);
    expect(stdout).toContain('| 19 | `lettuce-redis:hset` | not possible | – |');
    expect(stdout).toContain('`streams` is `streamWatermarks` here');
    expect(stdout).toContain('The flow `carry` reads a group and acknowledges');
    expect(stdout).toContain('yours to replace: `http:listener` (line 10), `foreach` (line 12).');
  });

  it('writes skeletons of the secrets without a password', () => {
    const { json, read, stdout } = migrate(HARD);

    expect(json('secret.json')).toEqual({
      mdm: { auth: { type: 'login-v3', loginUrl: 'https://dm-us.example.com', username: 'ann', password: 'FILL IN' } },
      redis: { url: 'rediss://:FILL-IN@redis.example.com:6380', commandTimeoutMs: 5000 },
    });
    expect(json('secret-other-redis.json')).toEqual({ redis: { url: 'FILL IN' } });
    for (const text of [stdout, read('secret.json'), read('calls.json'), read('carry.asl.json')])
      expect(text).not.toMatch(/hunter2|s3cret/);
  });

  it('writes states that fail until they are filled in', () => {
    const { json } = migrate(HARD);

    const { States, StartAt } = json<{ States: Record<string, { Arguments: object; Next?: string }>; StartAt: string }>(
      'carry.asl.json',
    );
    expect(StartAt).toBe('xreadgroup (line 11)');
    expect(States['source-submit (line 13)']).toMatchObject({
      Arguments: {
        FunctionName: 'mdm-stream-prod-mdm-source-submit',
        Payload: { record: expect.stringMatching(/^\{% \$error\("Fill in record of line 13: /) },
      },
      Next: 'xack (line 17)',
    });
    expect(States['xack (line 17)']!.Arguments).toMatchObject({ Payload: { configRef: 'other-redis' } });
  });

  it.each([
    ['a file that is not XML', '<mule', /is not XML/],
    ['an application without either connector', applicationOf('<flow name="a"/>'), /uses neither/],
  ])('npm run migrate ends with one sentence for %s', (_, xml, message) => {
    const { status, stderr } = migrate(xml);

    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)]);
  });
});
