import type { ListResponse } from '../../contract/parameters/mdm.ts';
import type { Deadline } from '../../core/deadline.ts';
import { commonAttributes } from './attributes.ts';
import { bytesOf, isOutOfTime, MAX_PAGES_BYTES } from './page-limits.ts';
import { badBody, isEmpty, readJson } from './response.ts';
import type { HttpResponse } from './http-response.ts';

/** A page in any of the service's dialects; page numbers start at 0. */
interface Page {
  content: unknown[];
  size?: unknown;
  pageSize?: unknown;
  number?: unknown;
  page?: unknown;
  last?: unknown;
  lastPage?: unknown;
  isBare?: boolean;
}

/** All pages of a list as one. */
export interface Pages {
  /** The response to the first page. */
  readonly first: HttpResponse;
  /** The body of the first page, with the items of all pages. */
  readonly whole: unknown;
  /** The items: `whole` itself, or its `content`; undefined for a body that has neither. */
  readonly items?: unknown[];
  /** Whether the last page was read: false also if an empty page says that others follow. */
  readonly complete: boolean;
}

/**
 * Reads all pages of a list, each item once. Ends early at 6 MB, at the deadline, and at a page that brings nothing
 * new, so that a service that ignores the page number is not read for ever.
 *
 * @param options.size the requested page size, for a service that does not name one
 * @throws {ConnectorError} if a page fails
 * @example
 * await readPages((page) => mdm.send({ …, query: { _page: String(page) } }), deadline);
 */
export async function readPages(
  fetchPage: (page: number) => Promise<HttpResponse>,
  deadline: Deadline,
  { from = 0, size }: { from?: number; size?: number } = {},
): Promise<Pages> {
  const first = await fetchPage(from);
  const whole = readPage(first);
  let page = pageOf(whole);
  if (!page) return { first, whole, complete: true };
  const items = page.content;
  const seen = new Set(items.map((item) => JSON.stringify(item)));
  const pages = { first, whole, items };
  let bytes = bytesOf(first);
  for (let number = from + 1; !isLast(page, size); number++) {
    const response = await fetchPage(number).catch((error: unknown) => {
      if (isOutOfTime(error, deadline)) return undefined;
      throw error;
    });
    if (!response) return { ...pages, complete: false };
    const next = pageOf(readPage(response));
    bytes += bytesOf(response);
    if (!next || !isNumbered(next, number) || bytes > MAX_PAGES_BYTES) return { ...pages, complete: false };
    const fresh = next.content.filter((item) => isNew(seen, JSON.stringify(item)));
    if (fresh.length === 0 && next.content.length > 0) return { ...pages, complete: false };
    for (const item of fresh) items.push(item);
    page = next;
  }
  return { ...pages, complete: saysLast(page) !== false };
}

/**
 * The output for a list.
 *
 * @throws {ConnectorError} `MDM:SERVER_ERROR` for a body that has no list
 */
export function listOf({ first, whole, items, complete }: Pages): ListResponse {
  if (!items) throw badBody(first, 'a list without `content`');
  return { payload: { content: items }, attributes: { complete, ...commonAttributes(first, whole) } };
}

const readPage = (response: HttpResponse): unknown => (isEmpty(response) ? { content: [] } : readJson(response));

/** A body as a page: an object with a `content`, or a bare list, which is the last page unless it is full. */
function pageOf(body: unknown): Page | undefined {
  if (Array.isArray(body)) return { content: body, isBare: true };
  return Array.isArray((body as Partial<Page> | null)?.content) ? (body as Page) : undefined;
}

/** Whether a page has this number, or none. */
function isNumbered({ number, page }: Page, wanted: number): boolean {
  const found = number ?? page;
  return typeof found !== 'number' || found === wanted;
}

/** Whether a page is the last by its own words. */
function saysLast({ last, lastPage }: Page): boolean | undefined {
  return [last, lastPage].find((value) => typeof value === 'boolean');
}

/** Whether to read no page after this one. If the service does not say, it is one with fewer items than its size. */
function isLast(page: Page, asked?: number): boolean {
  const { content, size, pageSize, isBare } = page;
  if (content.length === 0) return true;
  const says = saysLast(page);
  if (says !== undefined) return says;
  const full = [size, pageSize].find((value) => typeof value === 'number') ?? asked ?? (isBare ? Infinity : 1);
  return content.length < full;
}

function isNew(seen: Set<string>, item: string): boolean {
  const { size } = seen;
  return seen.add(item).size > size;
}
