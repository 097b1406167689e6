import { registry } from '#functions/registry.ts';
import { identify, KNOWN_OF_ALL, type IdentifiedStatement } from '#lib/contract/known-from.ts';
import { statementsOf } from '../../generate/known-from.ts';

/** Every statement of "Known from", those of all operations first. */
export const KNOWN: readonly IdentifiedStatement[] = [
  ...identify('all', KNOWN_OF_ALL),
  ...registry.filter(({ connector }) => connector === 'mdm').flatMap(statementsOf),
];

const REQUEST_IDS = ['infa-request-id', 'x-request-id', 'tracking-id', 'x_infa_log_ctx'];
const MODEL = ['data-model.statuses', 'data-model.body'];
const PATCH = ['patch.request', 'patch.statuses'];

/**
 * What of a recording shows a statement of "Known from": ids of what its steps say, with everything below them; `*`
 * stands for any step. A recording says nothing of statements that are not listed.
 */
export const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'all/logins': ['login.statuses', 'login.body'],
  'all/session': ['data-model.statuses'],
  'all/modelVersion': ['*.header.model_version'],
  'all/logContext': REQUEST_IDS.map((name) => `*.header.${name}`),
  'all/pages': ['source-list.body', 'relationship-search.body'],
  'all/writes': ['submit', 'patch.statuses', 'patch.body', 'delete.statuses', 'delete.body'],
  'all/errors': ['master-read-unknown', 'source-read-deleted', 'job-read-unknown'],
  'business-entities/model': MODEL,
  'check/login': ['login.statuses'],
  'check/model': MODEL,
  'check/search': ['search.statuses'],
  'codelist-read/path': ['codelist-value'],
  'codelist-read/export': ['codelist-read'],
  'codelist-read/changes': ['codelist-changes'],
  'http-request/session': ['data-model.statuses'],
  'job-read/path': ['job-read-unknown.statuses'],
  'master-read/lookups': ['master-read.statuses', 'master-read.body'],
  'match/path': ['match.request', 'match.statuses'],
  'match/fields': ['match.body', 'match-nothing'],
  'merge-preview/path': ['merge-preview.statuses', 'merge-preview.body'],
  'merge-preview/publicApi': ['merge-preview.statuses'],
  'metadata-read/relationships': ['relationships'],
  'metadata-read/paths': ['data-model.statuses', 'entity'],
  'record-schema/model': MODEL,
  'record-schema/leaves': ['data-model.body.businessEntity[].field'],
  'relationship-read/readable': ['relationship-read.statuses'],
  'relationship-read/path': ['relationship-read.statuses', 'relationship-read.body'],
  'relationship-search/path': ['relationship-search.statuses'],
  'relationship-search/pages': ['relationship-search.body'],
  'relationship-search/filter': ['relationship-search.request', 'relationship-search.statuses'],
  'search/path': ['search.request', 'search.statuses'],
  'search/responses': ['search.body', 'search-nothing'],
  'source-delete/deletable': ['delete.statuses'],
  'source-delete/soft': ['source-read-deleted'],
  'source-delete/path': ['delete.statuses'],
  'source-list/pages': ['source-list.body'],
  'source-list/path': ['source-list.statuses', 'source-list.body'],
  'source-list/size': ['source-list.statuses'],
  'source-patch/mediaType': PATCH,
  'source-patch/path': PATCH,
  'source-patch/publicApi': PATCH,
  'source-read/path': ['source-read.statuses', 'source-read-found.statuses'],
  'source-read/key': ['source-read.body._meta', 'source-read-found.body._meta'],
  'source-submit/path': ['submit.request', 'submit.statuses'],
  'source-submit-batch/submit': ['submit'],
  'source-systems/model': MODEL,
  'source-systems/place': ['data-model.body.sourceSystem', 'data-model.body.businessEntity[].sourceSystem'],
};

/** Whether what is said under this id is, or is below, what a pattern names. A step is shown without its headers. */
export function isShownBy(id: string, pattern: string): boolean {
  const shownId = pattern.startsWith('*.') ? withoutStep(id) : id;
  const prefix = pattern.replace('*.', '');
  if (shownId === prefix) return true;
  const isBelow = shownId.startsWith(prefix) && /[.[]/.test(shownId.charAt(prefix.length));
  return isBelow && !shownId.startsWith(`${prefix}.header.`);
}

/** An id without the name of its step. */
export const withoutStep = (id: string): string => id.slice(id.indexOf('.') + 1);
