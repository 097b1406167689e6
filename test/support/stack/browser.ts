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
  page.on('requestfailed', (request) => {
    const isGivenUp = request.failure()?.errorText === 'net::ERR_ABORTED'; // by a page that was left or loaded again
    if (!isGivenUp) seen.problems.push(`${request.url()} failed`);
  });
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

/** What axe-core finds, a line each, once the page was used. Its own policy is bypassed for this look alone. */
export async function findBarriers(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
  use: (page: Page) => Promise<unknown> = async () => {},
) {
  const page = await browser.newPage({ ...options, bypassCSP: true });
  try {
    await page.goto(url);
    await page.locator('main').waitFor();
    await use(page);
    await page.evaluate(axe.source);
    return await page.evaluate(async () => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inPage.run({ resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  } finally {
    await page.close();
  }
}

/** Each element whose focus ring is missing, or cut by a box that scrolls or by the sides of the window. */
export function findCutRings(page: Page): Promise<string[]> {
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  return page.evaluate(`[...document.querySelectorAll('${focusable}')]
    .filter((element) => {
      element.focus();
      if (document.activeElement !== element) return false; // not shown
      let ringed = element;
      while (ringed && getComputedStyle(ringed).outlineStyle === 'none') ringed = ringed.parentElement;
      if (!ringed) return true;
      const { outlineWidth, outlineOffset } = getComputedStyle(ringed);
      const distance = parseFloat(outlineWidth) + parseFloat(outlineOffset);
      const ring = ringed.getBoundingClientRect();
      const isCutBy = ({ left, top, right, bottom }) =>
        ring.left - distance < left || ring.right + distance > right ||
        ring.top - distance < top || ring.bottom + distance > bottom;
      const boxes = [];
      for (let box = ringed.parentElement; box; box = box.parentElement)
        if (getComputedStyle(box).overflow !== 'visible') boxes.push(box.getBoundingClientRect());
      return [...boxes, { left: 0, right: innerWidth, top: -Infinity, bottom: Infinity }].some(isCutBy);
    })
    .map((element) => element.outerHTML.slice(0, 80))`);
}
