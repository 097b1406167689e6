import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type Lambda, startLambda } from '#sandbox/aws/lambda.ts';
import { type SandboxMdm, startSandboxMdm } from '#sandbox/mdm/index.ts';
import { type RedisServer, startRedisServer } from '#sandbox/redis/redis-server.ts';
import { type SecretsManager, startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startBrowser } from '#scripts/browser.ts';
import { findBarriers, findCutRings, watch, type Watch } from '../support/stack/browser.ts';
import { type HttpGateway, startHttpGateway } from '../support/aws/http-gateway.ts';

let redis: RedisServer;
let mdm: SandboxMdm;
let secrets: SecretsManager;
let lambda: Lambda;
let gateway: HttpGateway;
let browser: Browser;

const environment = () => ({
  CONNECTOR_SECRET_PREFIX: 'test/',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  LOG_LEVEL: 'error',
});

beforeAll(async () => {
  [redis, mdm] = await Promise.all([startRedisServer(), startSandboxMdm({ businessIds: 'digits-18' })]);
  secrets = await startSecretsManager({ 'test/default': { redis: { url: redis.url }, mdm: mdm.secret } });
  lambda = await startLambda({ env: environment() });
  gateway = await startHttpGateway(lambda);
  browser = await startBrowser();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await gateway?.close();
  await lambda?.stop();
  await Promise.all([secrets?.close(), mdm?.close(), redis?.stop()]);
});

it('the page at /docs opens and calls under the path by which a custom domain maps to the API', async () => {
  const mapped = await startHttpGateway(lambda, undefined, '/v1');
  const page = await browser.newPage();
  const seen = watch(page);
  await page.goto(`${mapped.url}/v1`);
  await page.locator('article').first().waitFor();
  const [status] = await send(page, 'stream-xadd');
  const { servers } = (await (await fetch(`${mapped.url}/v1/openapi.json`)).json()) as { servers: { url: string }[] };
  await page.close();
  await mapped.close();

  expect([new URL(page.url()).pathname, status]).toEqual(['/v1/docs', expect.stringMatching(/^200/)]);
  expect(servers.map(({ url }) => url)).toEqual(['/v1']);
  expect(seen.problems).toEqual([]);
});

it('the page at /docs of a part of the operations has those, and no choice that a missing one would list', async () => {
  const part = await startLambda({ env: { ...environment(), CONNECTOR_OPERATIONS: 'mdm-search,mdm-source-*,api-*' } });
  const api = await startHttpGateway(part);
  const page = await browser.newPage();
  await page.goto(`${api.url}/docs`);
  await page.locator('article').first().waitFor();
  const shown = await page.locator('article .route code').allInnerTexts();
  const choices = (id: string) => page.locator(`#${id} .choices label`).allInnerTexts();
  const [search, submit] = [await choices('mdm-search'), await choices('mdm-source-submit')];
  await page.close();
  await api.close();
  await part.stop();

  expect(shown.filter((path) => !/^\/mdm\/(search|source-.*)$/.test(path))).toEqual([]);
  expect(shown).toContain('/mdm/search');
  expect(search).toEqual([]);
  expect(submit).toEqual([expect.stringMatching(/^Source system/)]);
});

it('the page at /docs says what is missing if api-openapi is not deployed', async () => {
  const page = await browser.newPage();
  await page.route('**/openapi.json', (route) => route.fulfill({ status: 404, json: { message: 'Not Found' } }));
  await page.goto(`${gateway.url}/docs`);
  const text = page.getByText('The reference could not be loaded: openapi.json answered 404; deploy api-openapi, too');
  await text.waitFor();
  await page.close();
});

describe.each([
  { device: 'a desktop', viewport: { width: 1280, height: 900 } },
  { device: 'a phone', viewport: { width: 390, height: 844 } },
])('the page at /docs, in Chromium on $device', ({ device, viewport }) => {
  let page: Page;
  let seen: Watch;

  beforeAll(async () => {
    page = await browser.newPage({ viewport });
    seen = watch(page);
    await page.goto(`${gateway.url}/`);
    await page.locator('article').first().waitFor();
  });

  afterAll(() => page.close());

  it('the page at /docs opens from / and shows every operation with every parameter', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: Record<string, unknown> };

    const shown = await page.locator('article .route code').allInnerTexts();

    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(shown.sort()).toEqual(Object.keys(paths).sort());
    const parameters = page.locator('#stream-xadd .parameters');
    for (const name of ['key', 'noMkStream', 'evictionOption.maxLength', 'entry', 'configRef'])
      await expect(parameters.getByText(name, { exact: true }).first().isVisible()).resolves.toBe(true);
  });

  it('the page at /docs says for each operation what is known of the API, and from whom', async () => {
    const statements = page.locator('#mdm-source-list .known-from li, #mdm-merge .known-from li');

    expect(await statements.allInnerTexts()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Path, body, the limit of ten records, .* Merge API$/),
        expect.stringMatching(/^Which record survives\. nobody$/),
        expect.stringMatching(/^Pages of ten, .* the service, 2021$/),
      ]),
    );
    expect(await page.locator('#mdm-merge .known-from a').getAttribute('href')).toMatch(/\/Merge_API\.html$/);
  });

  it('the page at /docs begins with a call that can be sent, and its answer', async () => {
    const first = page.locator('.introduction .try.first');
    const button = await first.locator('button.run').boundingBox();
    const before = await first.locator('.result .status').innerText();
    await first.locator('button.run').click();
    await first.getByText(/^200 /).waitFor();

    expect(button!.y + button!.height).toBeLessThan(viewport.height);
    expect(before).toBe('An answer, as an example');
    expect(await first.locator('.result pre').innerText()).toContain('"c360.person"');
    const places = await Promise.all(
      ['operations', 'sign-in', 'errors'].map((id) => page.locator(`#${id}`).boundingBox()),
    );
    const tops = places.map((place) => place!.y);
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  });

  it("the page at /docs has an operation's editor close to its heading", async () => {
    const [heading, editor] = await Promise.all([
      page.locator('#stream-xadd-title').boundingBox(),
      editorOf(page, 'stream-xadd').boundingBox(),
    ]);

    expect(editor!.y - heading!.y).toBeLessThan(300);
  });

  it("the page at /docs offers the tenant's business entities and source systems", async () => {
    const operation = page.locator('#mdm-source-read');
    await editorOf(page, 'mdm-source-read').fill(
      '{"businessEntity": "", "sourceSystem": "", "sourcePKey": "12345678901234567890"}',
    );
    const entity = operation.getByLabel('Business entity');
    await entity.focus();
    await operation.locator('option[value="c360.city"]').waitFor({ state: 'attached' });
    await entity.selectOption('c360.city');
    const system = operation.getByLabel('Source system');
    await system.focus();
    await operation.locator('option[value="geonames"]').waitFor({ state: 'attached' });
    await system.selectOption('geonames');

    expect(await editorOf(page, 'mdm-source-read').inputValue()).toBe(
      '{"businessEntity": "c360.city", "sourceSystem": "geonames", "sourcePKey": "12345678901234567890"}',
    );
  });

  it("the page at /docs asks for the tenant's values again after a refusal, and shows the latest", async () => {
    const operation = page.locator('#mdm-source-submit');
    const entity = operation.getByLabel('Business entity');
    const system = operation.getByLabel('Source system');
    const { promise: second, resolve: release } = Promise.withResolvers<undefined>();
    const problem = operation.getByText('The MDM does not respond.');
    const body = JSON.stringify({ detail: 'The MDM does not respond.' });
    await page.route('**/mdm/business-entities', (route) => route.fulfill({ status: 503, body }), { times: 1 });
    await page.route(
      '**/mdm/source-systems',
      (route) => second.then(() => route.fulfill({ body: '[{"id": "late", "displayName": "Late"}]' })),
      { times: 1 },
    );

    await editorOf(page, 'mdm-source-submit').fill('{"businessEntity": "c360.person", "sourceSystem": ""}');
    await entity.focus();
    await problem.waitFor();
    await system.focus(); // for persons; the answer comes late
    await entity.focus();
    await operation.locator('option[value="c360.city"]').waitFor({ state: 'attached' });
    await entity.selectOption('c360.city');
    await system.focus();
    await operation.locator('option[value="geonames"]').waitFor({ state: 'attached' });
    const late = page.waitForResponse('**/mdm/source-systems');
    release(undefined);
    await (await late).finished();
    await page.evaluate("fetch('openapi.json').then((response) => response.text())"); // by then the page has read it

    expect(await problem.count()).toBe(0);
    expect(await operation.locator('option[value="geonames"]').count()).toBe(1);
    expect(await operation.locator('option[value="late"]').count()).toBe(0);
  });

  it('the page at /docs groups operations by topic, and names the one without a route', async () => {
    const groups = await page.locator('main section.group h2').allInnerTexts();

    expect(groups.map((name) => name.toLowerCase())).toEqual(['records', 'metadata', 'streams', 'consumer']);
    await expect(
      page
        .locator('section.group', { has: page.locator('#stream-xadd') })
        .locator('h2')
        .innerText(),
    ).resolves.toMatch(/streams/i);
    await expect(page.getByText('stream-consumer').first().isVisible()).resolves.toBe(true);
  });

  it('the page at /docs shows a parameter that differs between alternatives once, with all it may be', async () => {
    const limits = page.locator('#stream-xtrim .parameters dt');

    expect(await limits.allInnerTexts()).toEqual([
      expect.stringMatching(/^key string required/),
      expect.stringMatching(/^evictionOption object required/),
      expect.stringMatching(/^evictionOption.maxLength integer \| string$/),
      expect.stringMatching(/^evictionOption.exactTrimming boolean default true/),
      expect.stringMatching(/^evictionOption.limit integer \| string$/),
      expect.stringMatching(/^evictionOption.id string$/),
      expect.stringMatching(/^references /),
      expect.stringMatching(/^configRef string default/),
    ]);
  });

  it("the page at /docs sends XADD with the contract's example, and shows the entry's id", async () => {
    const [status, body] = await send(page, 'stream-xadd');

    expect([status, body]).toEqual([expect.stringMatching(/^200 /), expect.stringMatching(/^\d+-\d+$/)]);
    const { key, entry } = JSON.parse(await editorOf(page, 'stream-xadd').inputValue()) as {
      key: string;
      entry: Record<string, string>;
    };
    expect(await redis.command('XRANGE', key, body, body)).toEqual([[body, Object.entries(entry).flat()]]);
  });

  it('the page at /docs sends a call once, however often Ctrl+Enter comes before its response', async () => {
    const key = `typed on ${device}`;
    const { promise: typed, resolve: release } = Promise.withResolvers<undefined>();
    await page.route('**/stream/xadd', (route) => typed.then(() => route.continue()));
    await editorOf(page, 'stream-xadd').fill(JSON.stringify({ key, entry: { id: '1' } }));
    for (let times = 0; times < 3; times++) await editorOf(page, 'stream-xadd').press('Control+Enter');
    release(undefined);
    await page.locator('#stream-xadd').getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.unroute('**/stream/xadd');

    expect(await redis.command('XLEN', key)).toBe(1);
  });

  it('the page at /docs sends Master Read, and shows the golden record with its exact digits', async () => {
    mdm.records.submit({
      entity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: '2661552',
      record: { name: 'Bern', country: { Code: 'CH' } },
    });
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2661552' };

    const [status, body] = await send(page, 'mdm-master-read', JSON.stringify(key));

    expect([status, body]).toEqual([expect.stringMatching(/^200 /), expect.stringContaining('"name": "Bern"')]);
    expect(body).toMatch(/"businessId": 71418994231386931\d,/); // beyond 2^53, as the API wrote it
  });

  it('the page at /docs shows the problem for an invalid input', async () => {
    const [status, body] = await send(page, 'stream-xack', '{"key":"orders","ids":[]}');

    expect(status).toMatch(/^400 /);
    expect(JSON.parse(body)).toMatchObject({ errors: [{ pointer: '/group' }, { pointer: '/ids' }] });
  });

  it('the page at /docs finds operations by the name of a parameter, and links to one', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('evictionoption trim');
    const found = await page.locator('article .route code').allInnerTexts();
    await page.locator('#search').fill('');
    await page.goto(`${gateway.url}/docs#stream-xtrim`);

    expect(found).toContain('/stream/xtrim');
    expect(found).not.toContain('/stream/xack');
    await expect(page.locator('#stream-xtrim').isVisible()).resolves.toBe(true);
  });

  it('the page at /docs finds operations by descriptions too, after those with the words in their names', async () => {
    await page.locator('#search').fill('trim');
    const found = await page.locator('aside a').allInnerTexts();
    await page.locator('#search').fill('circuit breaker');
    const byDescription = await page.locator('aside a').allInnerTexts();

    expect(found[0]).toBe('stream-xtrim');
    expect(found).toContain('stream-xadd'); // a description says it
    expect(byDescription).toContain('stream-status');
  });

  it('the page at /docs announces to a screen reader how many operations a search finds', async () => {
    const announced = page.locator('aside').getByRole('status');
    const says = async (query: string) => {
      await page.locator('#search').fill(query);
      return announced.textContent();
    };
    const before = await says('');

    const [some, one, none] = [await says('xgroup'), await says('xgroup-setid'), await says('xgroup-nothing')];
    const after = await says('');

    expect([before, some, one, none, after]).toEqual(['', '5 results', '1 result', '0 results', '']);
  });

  it('the page at /docs opens a result by Enter, and moves through results by the arrow keys', async () => {
    const opened = () => page.evaluate('location.hash');
    await page.locator('#search').fill('xgroup');
    const [first, second] = await page.locator('aside a').allInnerTexts();
    await page.locator('#search').press('Enter');
    const byEnter = await opened();
    await page.locator('#search').press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const isInSearch = await page.evaluate("document.activeElement.id === 'search'");
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const byArrows = await opened();
    await page.locator('#search').fill('');

    expect([byEnter, byArrows, isInSearch]).toEqual([`#${first}`, `#${second}`, true]);
  });

  it('the page at /docs shows JSON in colours, in the editor too', async () => {
    const operation = page.locator('#stream-xpending');
    await editorOf(page, 'stream-xpending').fill('{"key": "k: 1", "group": null, "count": -1}');
    const coloured = (kind: string) => operation.locator(`.editor .json-${kind}`).allInnerTexts();

    expect(await coloured('name')).toEqual(['"key"', '"group"', '"count"']);
    expect(await coloured('string')).toEqual(['"k: 1"']);
    expect([...(await coloured('literal')), ...(await coloured('number'))]).toEqual(['null', '-1']);
    await send(page, 'stream-xpending');
    expect(await operation.locator('.result .json-name').first().innerText()).toBe('"type"');
  });

  it('the page at /docs copies the call as edited, and says if it has changed since', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const operation = page.locator('#stream-xlen');
    const says = (text: string) => operation.getByText(text, { exact: true }).waitFor();
    const copy = async () => {
      await operation.getByRole('button', { name: 'Copy as curl' }).click();
      await says('Copied as curl.');
    };
    const STALE = 'The call has changed since you copied it as curl.';

    await copy();
    await editorOf(page, 'stream-xlen').fill('{"key": "another"}');
    await says(STALE);
    await copy();
    await page.getByLabel('Method').selectOption('jwt');
    await says(STALE);
    await copy();
    const clipboard = await page.evaluate('navigator.clipboard.readText()');
    await page.getByLabel('Method').selectOption('none');

    expect(clipboard).toMatch(/authorization: Bearer \$TOKEN[\s\S]*"another"/);
  });

  it('the page at /docs shows every focus ring in full', async () => {
    await page.keyboard.press('Tab'); // rings are for who uses the keyboard

    expect(await findCutRings(page)).toEqual([]);
  });

  it('the page at /docs does not scroll sideways', async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  });

  it('the page at /docs requests nothing from other origins, obeys its policy, and loads under 300 kB', () => {
    const total = [...seen.transferred.values()].reduce((sum, bytes) => sum + bytes, 0);

    expect(seen.problems).toEqual([]);
    expect([...seen.origins]).toEqual([gateway.url]);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(300_000);
  });

  it.each(['light', 'dark'] as const)(
    'the page at /docs has no barrier that axe finds, in the %s theme, with a response shown',
    async (colorScheme) => {
      const isWhole = device === 'a desktop' && colorScheme === 'light';
      const use = async (opened: Page) => {
        await opened.getByLabel('Method').selectOption('iam');
        await opened.locator('#stream-xack details').first().click();
        await send(opened, 'stream-xack', '{"key": "orders"}');
        if (!isWhole) await opened.evaluate(REMOVE_OTHERS);
      };
      expect(await findBarriers(browser, `${gateway.url}/docs`, { viewport, colorScheme }, use)).toEqual([]);
    },
    120_000, // axe reads every element of a long page
  );
});

/** Leaves three operations, which have all parts of the others: axe takes ten seconds for all. */
const REMOVE_OTHERS = `for (const article of document.querySelectorAll('article')) {
  if (!['stream-xack', 'mdm-search', 'mdm-source-submit-batch'].includes(article.id)) article.remove();
}`;

describe('the page at /docs, over HTTP', () => {
  it('the page at /docs allows only its own scripts, and its hashed assets are cached permanently', async () => {
    const page = await fetch(`${gateway.url}/docs`);
    const script = /src="(docs\/app\.[0-9a-f]{12}\.js)"/.exec(await page.text())![1]!;
    const asset = await fetch(`${gateway.url}/${script}`);

    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
  ])('the API redirects %s to %s', async (from, to) => {
    const response = await fetch(`${gateway.url}${from}`, { redirect: 'manual' });

    expect(response.status).toBe(302);
    expect(new URL(response.headers.get('location')!, `${gateway.url}${from}`).pathname).toBe(to);
  });
});

const editorOf = (page: Page, id: string) => page.locator(`#${id}-body`);

/** Sends the editor's text, or the one given. Returns the status line and body that the page shows. */
async function send(page: Page, id: string, body?: string): Promise<[string, string]> {
  if (body !== undefined) await editorOf(page, id).fill(body);
  const operation = page.locator(`#${id}`);
  await operation.locator('button.run').click();
  const [status, text] = [operation.locator('.result .status'), operation.locator('.result pre')];
  await status.waitFor();
  return [await status.innerText(), await text.innerText()];
}
