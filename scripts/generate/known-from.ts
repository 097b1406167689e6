import {
  identify,
  KNOWN_OF_ALL,
  SOURCES,
  VENDOR_PAGES,
  type IdentifiedStatement,
  type Source,
  type Statement,
  type VendorPage,
} from '#lib/contract/known-from.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';
import { tableOf } from './tables.ts';

/*
 * Who says what is stated of the master data API: at the end of an operation's page, in the OpenAPI document, and in a
 * table of all operations.
 */

/** The names of sources in tables. */
const NAMES: Record<Source, string> = {
  vendor: 'the vendor',
  service: 'the service, 2021',
  clients: 'other clients',
  nobody: 'nobody',
};

/** A link whose address stands at the end of the page, so that tables stay narrow. */
const linkTo = (page: VendorPage) => `[${page}]`;

/** The addresses of the vendor's pages. */
const addressesOf = (pages: readonly VendorPage[]): string =>
  pages.map((page) => `[${page}]: ${VENDOR_PAGES[page]}`).join('\n');

/** Who says it. */
export const sourceOf = ({ from }: Statement): string => NAMES[from];

const namedSource = (one: Statement) => (one.from === 'vendor' ? linkTo(one.page) : sourceOf(one));
const rank = ({ from }: Statement) => Object.keys(SOURCES).indexOf(from);
/** The most certain first. */
const byCertainty = <S extends Statement>(statements: readonly S[]): S[] =>
  statements.toSorted((one, other) => rank(one) - rank(other));

/** The statements as a table, the most certain first. */
function statementsTable(statements: readonly IdentifiedStatement[]): string {
  return tableOf(
    ['statement', 'known from', 'id'],
    byCertainty(statements).map((one) => [one.says, namedSource(one), `\`${one.id}\``]),
  );
}

const shortName = ({ name }: Operation) => name.slice('mdm-'.length);

/** The statements that an operation relies on. */
export const statementsOf = (operation: Operation): IdentifiedStatement[] =>
  identify(shortName(operation), operation.knownFrom ?? {});

/** The last part of an operation's page. */
export function knownFromPart(operation: Operation): string[] {
  const intro = 'Nothing here was tried on a tenant. [Known from](README.md) says what the sources are.';
  const statements = statementsOf(operation);
  return ['## Known from', intro, statementsTable(statements), addressesOf(vendorPagesOf(statements))];
}

/** Where an operation is documented by others; undefined if the vendor has no page. */
export function externalDocsOf(operation: Operation): { description: string; url: string } | undefined {
  const statements = statementsOf(operation);
  const [page] = vendorPagesOf(statements);
  if (page === undefined) return undefined;
  const others = (Object.keys(SOURCES) as Source[]).filter(
    (source) => source !== 'vendor' && statements.some(({ from }) => from === source),
  );
  const rest =
    others.length === 0 ? '' : ` Further statements are known from: ${others.map((one) => NAMES[one]).join(', ')}.`;
  return { description: `The vendor's page: ${page}.${rest}`, url: VENDOR_PAGES[page] };
}

/** The statements of an operation for the OpenAPI document; undefined if it relies on none. */
export function knownFromOf(operation: Operation) {
  const statements = byCertainty(statementsOf(operation));
  if (statements.length === 0) return undefined;
  return statements.map((one) => ({
    statement: one.says,
    knownFrom: one.from === 'vendor' ? one.page : NAMES[one.from],
    ...(one.from === 'vendor' && { url: VENDOR_PAGES[one.page] }),
  }));
}

const vendorPagesOf = (statements: readonly Statement[]): VendorPage[] => [
  ...new Set(statements.flatMap((one) => (one.from === 'vendor' ? [one.page] : []))),
];

/** The page about all MDM operations: the sources, and who says how much of which operation. */
export function knownFromPage(registry: readonly Operation[]): GeneratedFile {
  const operations = registry.filter(({ connector }) => connector === 'mdm');
  const countOf = (operation: Operation, source: Source) =>
    statementsOf(operation).filter(({ from }) => from === source).length;
  const rows = operations.map((operation) => {
    const short = shortName(operation);
    const counts = (['service', 'clients', 'nobody'] as const).map((source) =>
      String(countOf(operation, source) || '–'),
    );
    const pages = vendorPagesOf(statementsOf(operation)).map(linkTo);
    return [`[\`${short}\`](${short}.md#known-from)`, pages.join(', ') || '–', ...counts];
  });
  const contents = [
    `<!-- ${GENERATED} -->`,
    '# Operations on master data',
    'One page for each operation; [all operations](../operations.md) lists them by subject. The pages describe an ' +
      'API that this project has never called: its vendor documents it in part, and no tenant was at hand. So each ' +
      'page ends with **Known from**: what it states of the API, and who says so.',
    tableOf(
      ['known from', 'what that is'],
      (Object.keys(SOURCES) as Source[]).map((source) => [NAMES[source], SOURCES[source]]),
    ),
    'Where a name or a path is not certain, it is a setting under [`mdm.paths`](../sessions.md#connections) or ' +
      'beside it. [The sandbox](../sandbox.md#two-dialects) speaks as the vendor shows it, and as the service was ' +
      'documented. Before you rely on a statement that nobody makes, try it on your tenant: [record ' +
      'it](../guides/record-a-tenant.md), and compare. The doctor names statements by their ids.',
    '## By operation',
    'The pages of the vendor, and how many statements are known from others only.',
    tableOf(['operation', NAMES.vendor, NAMES.service, NAMES.clients, NAMES.nobody], rows),
    '## Of all operations',
    statementsTable(identify('all', KNOWN_OF_ALL)),
    addressesOf(Object.keys(VENDOR_PAGES) as VendorPage[]),
  ].join('\n\n');
  return { path: 'docs/mdm/README.md', contents };
}
