import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { VENDOR_PAGES, type Statement } from '#lib/contract/known-from.ts';
import { statementsOf } from '#scripts/generate/known-from.ts';

/* Who says what the operations rely on of the API: the pages, the OpenAPI document and the table agree. */

interface Document {
  paths: Record<string, { post: { externalDocs?: { description: string; url: string } } }>;
}
const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const table = readFileSync('docs/mdm/README.md', 'utf8').split('\n');
const operations = registry.filter(({ connector }) => connector === 'mdm');
const pagesOf = (statements: readonly Statement[]) => [
  ...new Set(statements.flatMap((one) => (one.from === 'vendor' ? [one.page] : []))),
];

describe('what is known of logins', () => {
  it.each(['all/logins', 'all/identityLogin', 'all/oauthLogin'])('%s names a page of the vendor', (id) => {
    const row = table.find((line) => line.includes(`| \`${id}\``))!;
    const [, page = ''] = /\| \[([^\]]+)\]/.exec(row) ?? [];

    expect(table).toContain(`[${page}]: ${VENDOR_PAGES[page as keyof typeof VENDOR_PAGES]}`);
  });
});

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  'what is known of %s',
  (name, one) => {
    const { route } = one;
    const knownFrom = statementsOf(one);
    const short = name.slice('mdm-'.length);
    const page = readFileSync(`docs/mdm/${short}.md`, 'utf8');
    const part = page.slice(page.indexOf('\n## Known from\n'));

    it("each operation's page ends with what is known of the API, and the vendor's addresses", () => {
      expect(knownFrom.length).toBeGreaterThan(0);
      expect(part.match(/^## /gm)).toHaveLength(1);
      for (const { id, says } of knownFrom) {
        const row = part.split('\n').find((line) => line.startsWith(`| ${says} `));
        expect(row).toContain(`| \`${id}\``);
      }
      for (const title of pagesOf(knownFrom)) expect(part).toContain(`[${title}]: ${VENDOR_PAGES[title]}\n`);
    });

    it('the OpenAPI document and the table say what is known of the API for each operation', () => {
      const [first] = pagesOf(knownFrom);
      const row = table.find((line) => line.includes(`(${short}.md#known-from)`))!;
      const cells = row.split('|').map((cell) => cell.trim());

      expect(paths[route]!.post.externalDocs?.url).toBe(first && VENDOR_PAGES[first]);
      expect(cells[2]).toBe(
        pagesOf(knownFrom)
          .map((title) => `[${title}]`)
          .join(', ') || '–',
      );
      const counts = ['service', 'clients', 'nobody'].map(
        (source) => knownFrom.filter(({ from }) => from === source).length,
      );
      expect(cells.slice(3, 6)).toEqual(counts.map((count) => String(count || '–')));
    });
  },
);
