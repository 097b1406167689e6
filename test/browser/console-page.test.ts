import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { deadLetterStreamOf, leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import type { ConsoleState } from '#sandbox/console/messages.ts';
import { sendCommand } from '#sandbox/redis/redis-server.ts';
import { GROUP } from '#sandbox/stack/names.ts';
import { startBrowser } from '#scripts/browser.ts';
import { findBarriers, watch, type Watch } from '../support/stack/browser.ts';
import { type LocalStack, startLocalStack } from '../support/stack/local-stack.ts';
import { until } from '../support/until.ts';

/** The longest rest of the breaker in this test, and the wait for the next full minute of the schedule. */
const RECOVERY_MS = 120_000;

let stack: LocalStack;
let browser: Browser;
let page: Page;
let seen: Watch;
let letters: Locator;
let entries: Locator;
let dialog: Locator;

const SHARD = 'source-submit:0';
const OTHER_SHARD = 'source-submit:1';
const MANY = 100_000;

beforeAll(async () => {
  stack = await startLocalStack(['--records', '200']);
  browser = await startBrowser();
  await stack.printed(/Serving/);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(10_000); // shorter than a test may take, so that a failure says what it waited for
  seen = watch(page);
  await page.goto(`${stack.url}/console`);
  await page.locator('#shards').waitFor();
  letters = page.getByRole('region', { name: 'Dead letters', exact: true });
  entries = page.getByRole('region', { name: 'Entries', exact: true });
  dialog = page.getByRole('dialog');
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('the console of the local stack, by keyboard in Chromium', () => {
  it('the console puts dead letters back after a preview, and reports what became of them', async () => {
    for (const key of ['lost-1', 'lost-2']) await addLetter(recordOf(key));
    await addLetter({ ...recordOf('lost-3'), record: '{"country": {"Code": "GR"}}' });
    await showLetters(SHARD, 'lost-');

    await press(letters.getByRole('button', { name: 'Choose these 3' }));
    await press(letters.getByRole('button', { name: 'Put back…' }).first());
    const preview = await dialog.innerText();
    await press(dialog.getByRole('button', { name: 'Put back 3' }));

    expect(preview).toContain(`3 dead letters will be put back at the end of ${SHARD}.`);
    await letters.getByText(/^Put back 3: 2 processed, 1 came back: .*name/).waitFor();
  });

  it('the console opens a dead letter, says that a later entry of its key waits, and deletes it', async () => {
    const paused = page.getByRole('region', { name: 'Shards and their state' }).getByText('paused');
    await press(page.getByRole('button', { name: 'Pause' }));
    await paused.first().waitFor();
    await until(async () => (await onServer('EXISTS', leaseKeyOf(SHARD, GROUP))) === 0);
    await addLetter(recordOf('older'));
    await call('xadd', { key: SHARD, entry: recordOf('older') });
    await showLetters(SHARD, 'older');

    await press(letters.locator('summary'));
    const opened = await letters.locator('details').innerText();
    await press(letters.locator('details').getByRole('button', { name: 'Put back…' }));
    const preview = await dialog.innerText();
    await page.keyboard.press('Escape');
    await press(letters.locator('details').getByRole('button', { name: 'Delete…' }));
    await press(dialog.getByRole('button', { name: 'Delete 1' }));

    expect(opened).toMatch(/sourcePKey\s+older\s/);
    expect(preview).toContain('1 dead letter stays: a later entry of the same key was processed or waits.');
    await letters.getByText('1 dead letter deleted.').waitFor();
    await letters.getByText('0 of the').waitFor();
    await press(page.getByRole('button', { name: 'Resume' }));
    await paused.first().waitFor({ state: 'detached' });
  });

  it('the console asks before it deletes a dead letter, even right after a cancelled question', async () => {
    const deleted = letters.getByText('1 dead letter deleted.');
    let claims: number | undefined;
    await addLetter(recordOf('asked'));
    await showLetters(SHARD, 'asked');
    await press(letters.locator('summary'));
    await press(letters.locator('details').getByRole('button', { name: 'Put back…' }));
    await dialog.waitFor();

    await page.evaluate(`document.querySelector('dialog').close(); // reported by an event, which comes later
      [...document.querySelectorAll('details button')].find((one) => one.textContent === 'Delete…').click();`);
    await page.route('**/stream/xdel', async (route) => {
      claims = await deleted.count(); // it may stand there since the deletion before
      await route.continue();
    });
    await press(dialog.getByRole('button', { name: 'Delete 1' }));

    await deleted.waitFor();
    await page.unroute('**/stream/xdel');
    expect(claims).toBe(0);
  });

  it('the console searches 100,000 entries and as many dead letters, and loads a page of them', async () => {
    await fill('many', '');
    await fill(deadLetterStreamOf(OTHER_SHARD, GROUP), 'not JSON');

    await entries.getByLabel('Stream').fill('many');
    await press(entries.getByRole('button', { name: 'Show' }));
    await entries.getByText('1 to 20 of 100,000, newest first.').waitFor();
    await press(entries.getByRole('button', { name: 'Older' }));
    await entries.getByText('21 to 40 of 100,000, newest first.').waitFor();
    const pageBytes = seen.transferred.get('/stream/xrevrange');
    await entries.getByLabel('Contains').fill('number 95123');
    await press(entries.getByRole('button', { name: 'Show' }));
    await entries.getByText('1 of the 10,000 entries looked at; the stream has 100,000.').waitFor();
    await press(entries.locator('summary'));
    await showLetters(OTHER_SHARD, 'number 95123');
    await press(letters.locator('summary'));
    await press(letters.locator('details').getByRole('button', { name: 'Put back…' }));
    await press(dialog.getByRole('button', { name: 'Put back 1' }));

    await letters.getByText(/^Put back 1: 1/).waitFor();
    expect(pageBytes).toBeLessThan(10_000);
    expect(await entries.locator('details').innerText()).toMatch(/name\s+number 95123/);
    expect(await call('xlen', { key: OTHER_SHARD })).toBeGreaterThan(0);
  }, 60_000);

  it('the console shows which source each field of a golden record came from', async () => {
    await page.locator('#city').focus();
    await page.keyboard.press('Enter');
    await page.locator('.found button').first().focus();
    await page.keyboard.press('Enter');

    const sources = page.locator('#golden-fields tbody td:last-child');
    await sources.first().waitFor();
    expect(new Set(await sources.allInnerTexts())).toEqual(new Set(['gazetteer', 'geonames']));
  });

  it('the console says which field of a golden record matched a search, if not the name', async () => {
    await page.locator('#city').fill('Nigeria');
    await page.keyboard.press('Enter');

    const found = page.locator('.found li');
    await found.filter({ hasText: 'Nigeria' }).first().waitFor(); // a former search may still be shown
    expect(new Set(await found.locator('.quiet').allInnerTexts())).toEqual(
      new Set([expect.stringMatching(/^country: .*Nigeria/)]),
    );
  });

  it('the console keeps the golden records of the newest search, if the answer to an older one is late', async () => {
    const { promise: second, resolve: release } = Promise.withResolvers<undefined>();
    const first = page.waitForRequest('**/mdm/search');
    await page.route('**/mdm/search', (route) => second.then(() => route.continue()), { times: 1 });
    await page.locator('#city').fill('Lagos');
    await page.keyboard.press('Enter');
    await first;
    await page.locator('#city').fill('Argentina');
    await page.keyboard.press('Enter');
    const found = page.locator('.found li');
    await found.filter({ hasText: 'Argentina' }).first().waitFor();
    const late = page.waitForResponse('**/mdm/search');
    release(undefined);
    await (await late).finished();
    await page.evaluate("fetch('openapi.json').then((response) => response.text())"); // by then the page has read it

    expect(await found.filter({ hasText: 'Lagos' }).count()).toBe(0);
  });

  it('the console shows golden records above the entries of streams', async () => {
    const titles = await page.locator('main h2').allInnerTexts();

    expect(titles.indexOf('Golden records')).toBeGreaterThan(-1);
    expect(titles.indexOf('Golden records')).toBeLessThan(titles.indexOf('Entries'));
  });

  it('the console shows an entry as unread while the group is paused, and done afterwards', async () => {
    const where = page.getByRole('region', { name: 'Where is my record?' });
    const ask = async (id: string, state: string) => {
      await where.getByLabel('Ids of entries').fill(id);
      await press(where.getByRole('button', { name: 'Find' }));
      await where.getByRole('row', { name: new RegExp(`${id}.*${state}`) }).waitFor({ timeout: 2000 });
    };
    const paused = page.getByRole('region', { name: 'Shards and their state' }).getByText('paused', { exact: true });
    await press(page.getByRole('button', { name: 'Pause' }));
    await paused.first().waitFor();
    await until(async () => (await onServer('EXISTS', leaseKeyOf(SHARD, GROUP))) === 0);
    const id = (await call('xadd', { key: SHARD, entry: recordOf('sought') })) as string;

    await ask(id, 'unread');
    await ask('1-1', 'unknown');
    await press(page.getByRole('button', { name: 'Resume' }));
    await until(async () => (await paused.count()) === 0); // a run before that would find the group paused
    await press(page.getByRole('button', { name: 'Run now' }));
    await until(
      () =>
        ask(id, 'done').then(
          () => true,
          () => false,
        ),
      20_000,
    );
  }, 40_000);

  it('the console keeps the plots of the last hour across a reload', async () => {
    const key = `console samples ${new URL(stack.url).port}`;
    const read = async () => JSON.parse(await page.evaluate<string>(`localStorage.getItem('${key}')`)) as At[];
    await until(async () => (await read()).length > 1);
    const [first] = await read();
    const reloadedAt = Date.now() / 1000;

    await page.reload();
    await page.locator('#shards').waitFor();
    await until(async () => (await read()).at(-1)!.at > reloadedAt, 10_000);

    expect((await read())[0]).toEqual(first);
    expect(first!.at).toBeLessThan(reloadedAt);
    expect(await page.getByRole('img', { name: /^Lag over the last hour, now/ }).count()).toBe(1);
  });

  it(
    'breaking the MDM in the console raises the lag and opens the breaker, and healing it clears both',
    async () => {
      await choose('503');
      await choose('50');
      await until(async () => (await numberAt('lag')) + (await numberAt('pending')) > 100, 30_000);
      await until(async () => (await page.locator('.badge.open').count()) > 0, 90_000);
      const stuck = await page.locator('tr.failure').first().innerText();
      await choose('Off');

      expect(stuck).toMatch(
        / (entry waits|entries wait), the oldest for .*: .* failed \(MDM:SERVER_ERROR: .*\)\. (The|A) .*\.$/,
      );

      await choose('Healthy');
      await page.getByText(/^Healthy again\. The next run comes at [\d:]+\.$/).waitFor();
      await press(page.getByRole('button', { name: 'Run now' }));
      await until(async () => (await numberAt('lag')) + (await numberAt('pending')) === 0, RECOVERY_MS);

      expect(await page.locator('.badge.open').count()).toBe(0);
    },
    RECOVERY_MS * 2,
  );

  it('the MDM keeps the condition that was chosen last in the console, even if the first choice is late', async () => {
    const sent = ['unavailable', 'slow'].map((condition) =>
      page.waitForResponse((response) => response.request().postData() === JSON.stringify({ condition })),
    );
    await page.route('**/console/mdm', (route) => setTimeout(() => void route.continue(), 500), { times: 1 });

    await choose('Slow'); // by way of 503
    await Promise.all(sent);
    const { condition } = (await (await fetch(`${stack.url}/console/state`)).json()) as ConsoleState;
    await choose('Healthy');

    expect(condition).toBe('slow');
  });

  it('the console keeps each title and each unit on one line on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });

    const wrapped = await page.evaluate(`[...document.querySelectorAll('figcaption > *, thead th')].filter((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      return new Set(Array.from(range.getClientRects(), ({ bottom }) => bottom)).size > 1;
    }).map(({ textContent }) => textContent)`);

    expect(wrapped).toEqual([]);
  });

  it('the console shows tables on a phone with a label at each value, and no wider than the screen', async () => {
    const cells = `document.querySelector('[aria-labelledby="shards"] tbody tr').children`;

    const labels = await page.evaluate<string[]>(
      `Array.from(${cells}, (cell) => getComputedStyle(cell, '::before').content)`,
    );

    expect(labels).toEqual(
      ['Stream', 'Length', 'Lag', 'Pending', 'Oldest (s)', 'Run', 'Breaker', 'Dead letters'].map((name) => `"${name}"`),
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('the console requests nothing from other origins, obeys its policy, and loads under 80 kB of script', async () => {
    const script = Buffer.from(await (await fetch(`${stack.url}/console/app.js`)).arrayBuffer());

    expect(seen.problems).toEqual([]);
    expect([...seen.origins]).toEqual([stack.url]);
    expect(gzipSync(script).length).toBeLessThan(80_000);
  });

  it('the console has no serious barrier for assistive technology, on a desktop and on a phone', async () => {
    const url = `${stack.url}/console`;

    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const askBeforePutBack = async (opened: Page) => {
      await opened.getByRole('button', { name: /^Put back (all|the oldest)/ }).click();
      await opened.getByRole('dialog').waitFor();
    };

    expect(await findBarriers(browser, url)).toEqual([]);
    expect(await findBarriers(browser, url, phone)).toEqual([]);
    expect(await findBarriers(browser, url, phone, askBeforePutBack)).toEqual([]);
  });

  it('the console hands everything else to the HTTP API, and redirects / and /docs/ to the reference', async () => {
    const answers = await Promise.all(
      ['/', '/docs', '/docs/', '/openapi.json'].map(async (path) => {
        const { status, url } = await fetch(`${stack.url}${path}`);
        return [status, new URL(url).pathname];
      }),
    );

    expect(answers).toEqual([
      [200, '/docs'],
      [200, '/docs'],
      [200, '/docs'],
      [200, '/openapi.json'],
    ]);
  });
});

/** A sample of a plot, in seconds since 1970. */
interface At {
  at: number;
}

/** Chooses a switch by its label: focus moves to its group, then the arrow keys move on. */
async function choose(label: string): Promise<void> {
  const wanted = page.getByRole('radio', { name: label, exact: true });
  const group = page.locator(`input[name=${await wanted.getAttribute('name')}]`);
  await group.and(page.locator(':checked')).focus();
  for (let steps = await group.count(); !(await wanted.isChecked()) && steps > 0; steps--) {
    await page.keyboard.press('ArrowRight');
  }
  expect(await wanted.isChecked()).toBe(true);
}

const numberAt = async (field: string) => Number((await page.locator(`#now-${field}`).innerText()).replaceAll(',', ''));

/** Presses a button, or opens what has a summary, by keyboard. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press('Enter');
}

async function showLetters(stream: string, text: string): Promise<void> {
  await letters.getByLabel('Stream').selectOption(stream);
  await letters.getByLabel('Contains').fill(text);
  await press(letters.getByRole('button', { name: 'Show' }));
  await letters.locator('details', { hasText: text }).first().waitFor();
}

/** A source record that the sandbox takes, as an entry. */
const recordOf = (sourcePKey: string) => ({
  businessEntity: 'c360.city',
  sourceSystem: 'crm',
  sourcePKey,
  record: `{"name": "City of ${sourcePKey}", "country": {"Code": "GR"}}`,
});

async function addLetter(entry: Record<string, string>): Promise<void> {
  const own = { 'dl-stream': SHARD, 'dl-group': GROUP, 'dl-source-id': '1-1', 'dl-time': new Date().toISOString() };
  const why = { 'dl-reason': 'the MDM responded 400', 'dl-error-type': 'MDM:CLIENT_ERROR', 'dl-deliveries': '1' };
  await call('xadd', { key: deadLetterStreamOf(SHARD, GROUP), entry: { ...entry, ...own, ...why } });
}

async function call(operation: string, parameters: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify(parameters);
  const response = await fetch(`${stack.url}/stream/${operation}`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return response.json();
}

/** Adds 100,000 entries on the server itself, which are dead letters for this reason. */
async function fill(key: string, reason: string): Promise<void> {
  const script = `for at = 1, ${MANY} do
    redis.call('XADD', KEYS[1], '*', 'name', 'number ' .. at, 'sourcePKey', at, 'dl-reason', ARGV[1])
  end`;
  await onServer('EVAL', script, '1', key, reason);
}

/** Asks the stack's redis-server itself. */
function onServer(...words: string[]): Promise<unknown> {
  const port = /redis-server of this machine, on port (\d+)/.exec(stack.output)![1];
  return sendCommand(`redis://127.0.0.1:${port}`, words);
}
