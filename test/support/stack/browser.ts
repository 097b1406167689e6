import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

/** What went wrong on a page, and where it sent requests, from now on. */
export interface Watch {
  /** Script errors, requests that failed, and what the content security policy refused. */
  readonly problems: string[];
  /** Origins that were asked for something. */
  readonly origins: Set<string>;
  /** Bytes of each response as they travelled, by path. */
  readonly transferred: Map<string, number>;
}

export function watch(page: Page): Watch {
  const seen: Watch = { problems: [], origins: new Set(), transferred: new Map() };
  page.on('pageerror', ({ message }) => seen.problems.push(message));
  page.on('requestfailed', (request) => seen.problems.push(`${request.url()} failed`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/i.test(message.text()))
      seen.problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.origins.add(new URL(request.url()).origin);
  });
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    const keep = ({ responseBodySize }: { responseBodySize: number }) =>
      seen.transferred.set(pathname, responseBodySize);
    request.sizes().then(keep, () => {}); // the page may be closed by then
  });
  return seen;
}

/** Serious and critical findings of axe-core, a line each. The page's own policy is bypassed for this look alone. */
export async function findBarriers(browser: Browser, url: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ ...options, bypassCSP: true });
  try {
    await page.goto(url);
    await page.locator('main').waitFor();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  } finally {
    await page.close();
  }
}
