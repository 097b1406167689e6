import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readArguments, ScriptError, stop } from './arguments.ts';
import { startBrowser } from './browser.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { ROOT } from './build/root.ts';

/*
 * node scripts/screenshots.ts: takes pictures of /docs and /console for the documents, on a local stack of its own;
 * with --all, at every width and in both themes.
 */

const MAX_BYTES = 150_000;
const DESKTOP = { width: 1280, height: 800 };
const README = { width: 1216, height: 660 };
const PHONE = { width: 390, height: 844 };

const { values } = readArguments({
  command: 'node scripts/screenshots.ts',
  about: 'Takes pictures of /docs and /console on a local stack of its own, with Chromium.',
  options: {
    destination: { type: 'string', default: join(ROOT, 'docs/images'), value: '<folder>', about: 'where they go' },
    all: { type: 'boolean', about: 'on a desktop and a phone, light and dark' },
  },
  examples: ['node scripts/screenshots.ts', 'node scripts/screenshots.ts --all --destination /tmp/pictures'],
});

interface Look {
  name: string;
  viewport: typeof DESKTOP;
  colorScheme: 'light' | 'dark';
}

const looks: Look[] = values.all
  ? [DESKTOP, PHONE].flatMap((viewport) =>
      (['light', 'dark'] as const).map((colorScheme) => ({
        viewport,
        colorScheme,
        name: `-${viewport.width}-${colorScheme}`,
      })),
    )
  : [{ name: '', viewport: README, colorScheme: 'light' }];

const [port, lambdaPort] = [await freePort(), await freePort()];
const url = `http://localhost:${port}`;
const args = ['--port', String(port), '--lambda-port', String(lambdaPort)];
const stack = spawn(process.execPath, [join(ROOT, 'scripts/start.ts'), ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(stack, 'close');
try {
  mkdirSync(values.destination, { recursive: true });
  await Promise.race([printed('Serving'), ended.then(() => Promise.reject(new ScriptError('npm start ended')))]);
  const browser = await startBrowser();
  for (const look of looks) await takeDocs(browser, look);
  await takeConsole(browser);
  await browser.close();
} catch (error) {
  stack.kill();
  await ended;
  stop(error);
}
stack.kill();
await ended;

async function printed(text: string): Promise<void> {
  let output = '';
  for await (const chunk of stack.stdout.setEncoding('utf8')) if ((output += String(chunk)).includes(text)) break;
  stack.stdout.resume();
}

async function takeDocs(browser: Browser, { name, ...look }: Look): Promise<void> {
  const page = await browser.newPage(look);
  await page.goto(`${url}/docs#stream-xadd`);
  await page.locator('#stream-xadd .run').click();
  await page.locator('#stream-xadd .result .status').waitFor();
  await page.goto(`${url}/docs#stream-xdel`);
  await page.goto(`${url}/docs#stream-xadd`);
  await save(page, `docs${name}`);
  if (values.all) {
    await page.goto(`${url}/docs`);
    await page.locator('#top').waitFor();
    await save(page, `docs-top${name}`);
  }
  await page.close();
}

/** The console during an outage of the MDM: the lag rises, and the breaker is open. */
async function takeConsole(browser: Browser): Promise<void> {
  const pages: [Page, string][] = [];
  for (const { name, ...look } of looks) pages.push([await browser.newPage(look), name]);
  for (const [page] of pages) await page.goto(`${url}/console`);
  const [[first]] = pages as [[Page, string]];
  await first.locator('#city').press('Enter');
  await first.getByRole('radio', { name: '50', exact: true }).check();
  await first.waitForTimeout(15_000);
  await first.getByRole('radio', { name: '503', exact: true }).check();
  await first.locator('.badge.open').first().waitFor({ timeout: 120_000 });
  await first.waitForTimeout(10_000);
  for (const [page, name] of pages) await save(page, `console${name}`, values.all);
}

async function save(page: Page, name: string, fullPage = false): Promise<void> {
  const path = join(values.destination, `${name}.png`);
  await page.screenshot({ path, fullPage });
  const { size } = statSync(path);
  console.log(`${path}: ${Math.ceil(size / 1000)} kB`);
  if (!values.all && size > MAX_BYTES) throw new ScriptError(`${path} has more than ${MAX_BYTES / 1000} kB`);
}
