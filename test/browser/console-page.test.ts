import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../scripts/browser.ts';
import { findBarriers, watch, type Watch } from '../support/stack/browser.ts';
import { type LocalStack, startLocalStack } from '../support/stack/local-stack.ts';
import { until } from '../support/until.ts';

/** The longest rest of the breaker in this test, and the wait for the next full minute of the schedule. */
const RECOVERY_MS = 120_000;

let stack: LocalStack;
let browser: Browser;
let page: Page;
let seen: Watch;

beforeAll(async () => {
  stack = await startLocalStack(['--records', '200']);
  browser = await startBrowser();
  await stack.printed(/Serving/);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  seen = watch(page);
  await page.goto(`${stack.url}/console`);
  await page.locator('#shards').waitFor();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('the console of the local stack, by keyboard in Chromium', () => {
  it('lists dead letters with reason and entry, and puts them back', async () => {
    const letter = page.locator('.letters details').first();

    await letter.locator('summary').focus();
    await page.keyboard.press('Enter');
    const entry = await letter.locator('pre').innerText();
    await page.locator('.letters button').first().focus();
    await page.keyboard.press('Enter');

    expect(JSON.parse(entry)).toMatchObject({ sourceSystem: expect.any(String) });
    const status = page.locator('section[aria-labelledby=dead-letters] [role=status]');
    await until(async () => /^\d+ put back to /.test(await status.innerText()));
  });

  it('shows for each field of a golden record which source it came from', async () => {
    await page.locator('#city').focus();
    await page.keyboard.press('Enter');
    await page.locator('.found button').first().focus();
    await page.keyboard.press('Enter');

    const sources = page.locator('#golden-fields tbody td:last-child');
    await sources.first().waitFor();
    expect(new Set(await sources.allInnerTexts())).toEqual(new Set(['gazetteer', 'geonames']));
  });

  it(
    'breaks the MDM: the lag rises and the breaker opens; heals it: everything is carried over',
    async () => {
      await choose('503');
      await choose('50 records a second');
      await until(async () => (await numberAt('lag')) + (await numberAt('pending')) > 100, 30_000);
      await until(async () => (await page.locator('.badge.open').count()) > 0, 90_000);
      await choose('Off');

      await choose('Healthy');
      await until(async () => (await numberAt('lag')) + (await numberAt('pending')) === 0, RECOVERY_MS);

      expect(await page.locator('.badge.open').count()).toBe(0);
    },
    RECOVERY_MS * 2,
  );

  it('asks no other origin for anything, breaks no rule of its policy, and loads less than 80 kB of script', async () => {
    const script = Buffer.from(await (await fetch(`${stack.url}/console/app.js`)).arrayBuffer());

    expect(seen.problems).toEqual([]);
    expect([...seen.origins]).toEqual([stack.url]);
    expect(gzipSync(script).length).toBeLessThan(80_000);
  });

  it('has no serious barrier for assistive technology, on a desktop and on a phone', async () => {
    const url = `${stack.url}/console`;

    expect(await findBarriers(browser, url)).toEqual([]);
    expect(await findBarriers(browser, url, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })).toEqual(
      [],
    );
  });

  it('hands everything else to the HTTP API, and leads / and /docs/ to the reference', async () => {
    const answers = await Promise.all(
      ['/', '/docs', '/docs/', '/openapi.json'].map(async (path) => (await fetch(`${stack.url}${path}`)).status),
    );

    expect(answers).toEqual([200, 200, 200, 200]);
  });
});

/** Chooses a switch by its label: focus moves to its group, then the arrow keys move on. */
async function choose(label: string): Promise<void> {
  const wanted = page.getByRole('radio', { name: label, exact: true });
  const group = page.locator(`input[name=${await wanted.getAttribute('name')}]`);
  await group.and(page.locator(':checked')).focus();
  for (let steps = await group.count(); !(await wanted.isChecked()) && steps > 0; steps--) {
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(700); // the page shows the stack at its next poll
  }
  expect(await wanted.isChecked()).toBe(true);
}

const numberAt = async (field: string) => Number((await page.locator(`#now-${field}`).innerText()).replaceAll(',', ''));
