import { readFields } from '../records/record-check.ts';
import { refusal, type SandboxResponse } from '../records/responses.ts';
import { leaves } from '../records/search.ts';
import { blendOf } from '../records/survivorship.ts';
import { readJson, type Call, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import { showGolden } from '../records/views.ts';

/** The minimum score of a candidate, by search level. */
const LEAST_SCORE: Record<string, number> = { NARROW: 0.9, TYPICAL: 0.7, EXHAUSTIVE: 0.5, EXTREME: 0.3 };

/** Golden records that resemble a record. */
export const matchRoutes: readonly RouteEntry[] = [
  ['POST', 'match-ng-pair-gen/public/api/v1/searchmatch', matchRecord],
];

function matchRecord(tenant: Tenant, { body }: Call, [guid = '']: string[]): SandboxResponse {
  const { records, dialect } = tenant;
  const entity = records.entity(guid);
  const { maxRecordsToReturn = 100, searchLevel = 'TYPICAL', ...record } = readJson(body);
  const least = LEAST_SCORE[String(searchLevel)];
  if (least === undefined) throw refusal(400, 'MATCH_LEVEL_UNKNOWN', 'The search level is not known');
  const [fields, faults] = readFields(entity.field, record);
  if (faults.length > 0) throw refusal(400, 'MDM_RECORD_INVALID', 'The record is not valid', faults);
  if (Object.keys(fields).length === 0) throw refusal(400, 'MATCH_RECORD_EMPTY', 'The record has no fields');
  const candidates = records
    .allGolden(guid)
    .filter(({ hidden }) => !hidden)
    .map((golden) => ({ golden, score: scoreOf(fields, blendOf(golden)) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(maxRecordsToReturn));
  const shown = candidates.map(({ golden, score }) => {
    const { _meta, ...rest } = showGolden(golden, tenant, false);
    return { _meta: { ...(_meta as object), score: Math.round(score * 1000) / 1000 }, ...rest };
  });
  return dialect.some({ hits: shown.length, records: shown });
}

/** The mean similarity of the record's fields, each 0 to 1. */
function scoreOf(wanted: Record<string, unknown>, fields: Record<string, unknown>): number {
  const scores = Object.entries(wanted).map(([name, value]) => {
    const texts = leaves(fields[name]);
    return Math.max(0, ...leaves(value).flatMap((text) => texts.map((other) => resemblance(text, other))));
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** The share of common pairs of letters (Dice's coefficient). */
function resemblance(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const shared = left.filter((pair) => {
    const at = right.indexOf(pair);
    if (at >= 0) right.splice(at, 1);
    return at >= 0;
  }).length;
  return (2 * shared) / (left.length + right.length + shared);
}

function pairsOf(text: string): string[] {
  const plain = ` ${text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()} `;
  return Array.from({ length: plain.length - 1 }, (_, index) => plain.slice(index, index + 2));
}
