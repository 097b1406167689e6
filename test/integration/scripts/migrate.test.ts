import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  file: string;
  line: number;
  operation: string;
  input: Record<string, unknown>;
  toFillIn: Record<string, string>;
}
function migrate(xml: string | Buffer) {
  const path = join(folder, 'app.xml');
  writeFileSync(path, xml);
  return migrateAll(path);
}

function migrateAll(...paths: string[]) {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/migrate.ts', ...paths, '--out', out], {
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

  it('the Mule guide shows the state that npm run migrate writes', () => {
    const [, shown = ''] = /<!-- state -->\n\n```json\n([^]*?)```/.exec(guide) ?? [];
    const { json } = migrate(applicationOf(`<flow name="submit">${examples[0]!.xml}</flow>`));

    const { States } = json<{ States: Record<string, object> }>('submit.asl.json');
    expect([JSON.parse(shown)]).toEqual(Object.values(States));
  });

  it('the Mule guide shows calls that the functions accept', async () => {
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

  it('the Mule guide names every contract parameter that it uses', () => {
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
  it('npm run migrate names expressions, placeholders and unknown elements with their lines, and guesses none', () => {
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

  it('npm run migrate writes skeletons of the secrets without a password', () => {
    const { json, read, stdout } = migrate(HARD);

    expect(json('secret.json')).toEqual({
      mdm: { auth: { type: 'login-v3', loginUrl: 'https://dm-us.example.com', username: 'ann', password: 'FILL IN' } },
      redis: { url: 'rediss://:FILL-IN@redis.example.com:6380', commandTimeoutMs: 5000 },
    });
    expect(json('secret-other-redis.json')).toEqual({ redis: { url: 'FILL IN' } });
    for (const text of [stdout, read('secret.json'), read('calls.json'), read('carry.asl.json')])
      expect(text).not.toMatch(/hunter2|s3cret/);
  });

  it('npm run migrate writes states that fail until they are filled in', () => {
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

  it('leaves expressions inside of text and of literals to fill in', () => {
    const { json } = migrate(
      applicationOf(`<flow name="a">
        <lettuce-redis:xadd key="orders-#[vars.region]" entry="#[{a: 'x $(vars.id)'}]"/>
        <lettuce-redis:xadd key="orders" entry="#[{a: '\${p}', b: '$name'}]"/>
        <lettuce-redis:xread streamWatermarks="#[[{key: 'orders', id: '$'}]]" block="#[Infinity]"/></flow>`),
    );

    expect(json<Call[]>('calls.json').map(({ input, toFillIn }) => ({ input, toFillIn }))).toEqual([
      { input: {}, toFillIn: { key: 'orders-#[vars.region]', entry: "#[{a: 'x $(vars.id)'}]" } },
      { input: { key: 'orders' }, toFillIn: { entry: "#[{a: '${p}', b: '$name'}]" } },
      { input: { streamWatermarks: [{ key: 'orders', id: '$' }] }, toFillIn: { block: '#[Infinity]' } },
    ]);
  });

  it('changes no digit of a number, and keeps no part of a key that is there twice', () => {
    const { json } = migrate(
      applicationOf(`<flow name="a">
        <lettuce-redis:xgroup-create key="k" group="g" mkstream="true" entriesRead="9223372036854775807"/>
        <b360:source-submit businessEntity="e" sourceSystem="s" sourcePKey="1"><b360:body>#[{n: 9007199254740993}]</b360:body></b360:source-submit>
        <b360:source-submit businessEntity="e" sourceSystem="s" sourcePKey="1"><b360:body>#[{a: 1, a: 2}]</b360:body></b360:source-submit>
        <b360:source-submit businessEntity="e" sourceSystem="s" sourcePKey="1"><b360:body>#[{a: -1.5, b: [0, 'x: 10']}]</b360:body></b360:source-submit></flow>`),
    );

    const [create, digits, twice, known] = json<Call[]>('calls.json');
    expect(create!.input.entriesRead).toBe('9223372036854775807');
    expect(digits!.toFillIn).toEqual({ record: '#[{n: 9007199254740993}]' });
    expect(twice!.toFillIn).toEqual({ record: '#[{a: 1, a: 2}]' });
    expect(known!.input.record).toEqual({ a: -1.5, b: [0, 'x: 10'] });
  });

  it('reads literals in nested elements, and leaves what it does not know of them as XML', () => {
    const { json } = migrate(
      applicationOf(`<flow name="a">
        <b360:http-request method="GET" path="/x">
          <b360:query-parameters><b360:query-parameter key="a" value="#['b']"/></b360:query-parameters>
          <b360:custom-headers><b360:custom-header key="X-A" value="1"/><b360:custom-header key="X-A" value="2"/></b360:custom-headers>
        </b360:http-request>
        <lettuce-redis:xread>
          <lettuce-redis:stream-watermarks><lettuce-redis:stream-watermark key="a"><lettuce-redis:id>0</lettuce-redis:id></lettuce-redis:stream-watermark></lettuce-redis:stream-watermarks>
        </lettuce-redis:xread></flow>`),
    );

    const [request, read] = json<Call[]>('calls.json');
    expect(request!.input.query).toEqual({ a: 'b' });
    expect(request!.toFillIn.headers).toMatch(/"X-A" value="1".*"X-A" value="2"/);
    expect(read!.toFillIn.streamWatermarks).toContain('<lettuce-redis:id>0</lettuce-redis:id>');
  });

  it('keeps the operator of a search whose filters are an expression, and guesses none', () => {
    const { json } = migrate(
      applicationOf(`<flow name="a">
        <b360:search entityType="e" operator="OR" filters="#[vars.f]"/>
        <b360:search entityType="e" operator="#[vars.o]" pageSize="\${n}"><b360:filters><b360:search-filter-record
          comparator="EQUALS" fieldName="f" fieldValue="v"/></b360:filters></b360:search></flow>`),
    );

    expect(json<Call[]>('calls.json').map(({ input, toFillIn }) => ({ input, toFillIn }))).toEqual([
      {
        input: { businessEntity: 'e', allPages: true },
        toFillIn: { filters: 'operator: "OR", filters: #[vars.f]' },
      },
      {
        input: { businessEntity: 'e' },
        toFillIn: {
          filters: 'operator: #[vars.o], filters: [{"comparator":"EQUALS","fieldName":"f","fieldValue":"v"}]',
          pageSize: '${n}',
        },
      },
    ]);
  });

  it('keeps the parameter name of a metadata read, and names what stands around a call', () => {
    const { json, stdout } = migrate(
      applicationOf(`<flow name="a"><b360:meta-data-read config-ref="Global" resource="BUSINESS_ENTITY" objectInternalId="e"
        name="City" target="meta" doc:name="Read"><error-mapping targetType="APP:X"/></b360:meta-data-read>
        <b360:constructor/></flow>`),
    );

    expect(json<Call[]>('calls.json')[0]!.input).toEqual({
      resource: 'BUSINESS_ENTITY',
      objectInternalId: 'e',
      name: 'City',
    });
    expect(stdout).toContain('its result went to `meta`');
    expect(stdout).toContain('`Global` is not among these files: the call uses the secret `default`');
    expect(stdout).toContain('yours to replace: `error-mapping` (line 3)');
    expect(stdout).toContain('| 4 | `b360:constructor` | not possible |');
  });

  it('keeps every call of a line, and every flow, whatever their names', () => {
    const call = (id: number) => `<b360:master-read businessEntity="e" businessId="${id}"/>`;
    const { json } = migrate(
      applicationOf(`<flow name="客户">${call(1)}${call(2)}</flow><flow name="产品">${call(3)}</flow>
        <flow name="A b">${call(4)}</flow><flow name="a/b">${call(5)}</flow>`),
    );

    const idsOf = (file: string) => {
      const { States } = json<{ States: Record<string, { Arguments: { Payload: Call['input'] } }> }>(file);
      return Object.values(States).map(({ Arguments }) => Arguments.Payload.businessId);
    };
    expect(['客户', '产品', 'A-b', 'a-b-2'].map((flow) => idsOf(`${flow}.asl.json`))).toEqual([
      ['1', '2'],
      ['3'],
      ['4'],
      ['5'],
    ]);
  });

  it('names what of a configuration it does not take over, and gives each a secret of its own', () => {
    const { json, stdout } = migrate(
      applicationOf(`<b360:config name="Main"><b360:basic-connection username="ann" password="hunter2"
        baseUrl="https://a.example" responseTimeout="9"/></b360:config>
        <b360:config name="MDM A"><b360:oauth-connection clientSecret="hunter2"/></b360:config>
        <b360:config name="mdm-a"><b360:passthrough-connection sessionId="hunter2" baseApiUrl="https://b.example"/></b360:config>
        <lettuce-redis:pubsub-config name="Sub"><lettuce-redis:pubsub-connection host="h"/></lettuce-redis:pubsub-config>
        <flow name="f"><b360:master-read config-ref="mdm-a" businessEntity="e" businessId="1"/></flow>`),
    );

    expect(json('secret-mdm-a.json')).toEqual({ mdm: { auth: { type: 'FILL IN' } } });
    expect(json('secret-mdm-a-2.json')).toMatchObject({ mdm: { auth: { type: 'session' } } });
    expect(json('secret.json')).not.toHaveProperty('redis');
    expect(json<Call[]>('calls.json')[0]!.input.configRef).toBe('mdm-a-2');
    expect(stdout).toContain(
      '| 2 | `b360:config` | to fill in | – | `mdm` of the secret `default`; not taken over: `responseTimeout` |',
    );
    expect(stdout).toContain('`b360:oauth-connection` is not known; not taken over: `clientSecret`');
    expect(stdout).toContain('| `lettuce-redis:pubsub-config` | not possible |');
    expect(stdout).not.toContain('hunter2');
  });

  it('reads all files of an application, whose configurations and calls are in different ones', () => {
    const application = join(folder, 'mule');
    mkdirSync(join(application, 'flows'), { recursive: true });
    const read = (config: string) => `<b360:master-read config-ref="${config}" businessEntity="e" businessId="1"/>`;
    const contents = {
      'flows/a.xml': `<flow name="a">${read('EMEA')}</flow>`,
      'flows/b.xml': `<flow name="b">${read('MDM')}${read('Elsewhere')}</flow>`,
      'flows/none.xml': '<flow name="none"><logger/></flow>',
      'global.xml': `<b360:config name="MDM"><b360:basic-connection username="ann" baseUrl="https://a.example"/>
        </b360:config><b360:config name="EMEA"><b360:basic-connection username="bob" baseUrl="https://b.example"/>
        </b360:config>`,
    };
    for (const [name, elements] of Object.entries(contents))
      writeFileSync(join(application, name), applicationOf(elements));

    const { json, stdout } = migrateAll(application);

    expect(json<Call[]>('calls.json').map(({ file, input }) => [file, input.configRef])).toEqual([
      [join(application, 'flows/a.xml'), 'emea'],
      [join(application, 'flows/b.xml'), undefined],
      [join(application, 'flows/b.xml'), undefined],
    ]);
    expect(json('secret-emea.json')).toMatchObject({ mdm: { auth: { username: 'bob' } } });
    expect(json('b.asl.json')).toHaveProperty('States');
    expect(stdout.match(/^## .*/gm)).toEqual(
      ['flows/a.xml', 'flows/b.xml', 'global.xml'].map((name) => `## ${join(application, name)}`),
    );
    expect(stdout.match(/`\w+` is not among these files/g)).toEqual(['`Elsewhere` is not among these files']);
  });

  it('fills in placeholders from property files, but for passwords and encrypted values', () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return ['--properties', join(folder, name)];
    };
    const app = join(folder, 'app.xml');
    writeFileSync(
      app,
      applicationOf(`<b360:config name="MDM"><b360:basic-connection username="${'${mdm.user}'}" password="${'${mdm.password}'}"
        baseUrl="https://${'${mdm.host}'}/saas/public/core/v3/login"/></b360:config>
        <lettuce-redis:config name="Redis"><lettuce-redis:connection host="${'${redis.host}'}" port="${'${redis.port}'}"/></lettuce-redis:config>
        <flow name="f"><b360:source-submit config-ref="MDM" businessEntity="${'${entity}'}" sourceSystem="${'${secure::system}'}"
          sourcePKey="#['${'${tenant}'}-1']"><b360:body>#[{name: '${'${name}'}', code: '${'${circle}'}'}]</b360:body></b360:source-submit>
        <lettuce-redis:xack config-ref="Redis" key="${'${streams}'}" group="${'${missing}'}" ids="#[payload.${'${secure::field}'}]"/></flow>`),
    );

    const { json, stdout } = migrateAll(
      app,
      ...file(
        'dev.yaml',
        'system: open\nmdm: {user: ann, password: hunter2, host: dev.example}\nredis: {host: r.example, port: 0063}',
      ),
      ...file('prod.properties', 'mdm.host = prod.example\nentity=c360.${kind}\nkind=city\nname=K\\u00f6ln\nfield=id'),
      ...file('more.yml', 'streams: [a, b]\ntenant: t\ncircle: ${circle}\nsystem: "![Zm9v]"'),
    );

    expect(json('secret.json')).toEqual({
      mdm: { auth: { type: 'login-v3', loginUrl: 'https://prod.example', username: 'ann', password: 'FILL IN' } },
      redis: { url: 'FILL IN' },
    });
    expect(json<Call[]>('calls.json').map(({ input, toFillIn }) => ({ input, toFillIn }))).toEqual([
      {
        input: { businessEntity: 'c360.city', sourcePKey: 't-1' },
        toFillIn: { sourceSystem: '${secure::system}', record: "#[{name: 'Köln', code: '${circle}'}]" },
      },
      { input: { key: 'a,b' }, toFillIn: { group: '${missing}', ids: '#[payload.id]' } },
    ]);
    expect(stdout).not.toContain('hunter2');
  });

  it.each([
    ['cannot be read', 'none.yaml', undefined],
    ['holds no properties: it is no list', 'text.yaml', 'just text'],
    ['holds no properties: Nested mappings', 'broken.yaml', 'a: b: c'],
  ])('npm run migrate prints one sentence for a property file that %s', (fault, name, text) => {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    const app = join(folder, 'app.xml');
    writeFileSync(app, HARD);

    const { status, stderr } = migrateAll(app, '--properties', join(folder, name));

    expect([status, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(`${name} ${fault}`)]]);
  });

  it('reads an application in the encoding that it names', () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>${applicationOf(`<flow name="a">
      <lettuce-redis:xinfo-groups key="Köln"/></flow>`)}`;

    expect(migrate(Buffer.from(xml, 'latin1')).json<Call[]>('calls.json')[0]!.input.key).toBe('Köln');
    expect(migrate(Buffer.from(xml.replace('ISO-8859-1', 'UTF-8'), 'latin1')).stderr).toMatch(/is not UTF-8: save it/);
  });

  it.each([
    ['a file that is not XML', '<mule', /is not XML/],
    ['an application without either connector', applicationOf('<flow name="a"/>'), /neither the b360 nor/],
  ])('npm run migrate prints one sentence for %s', (_, xml, message) => {
    const { status, stderr } = migrate(xml);

    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)]);
  });
});
