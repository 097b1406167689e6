import type { Dialect } from './dialect.ts';
import { blendOf, winnersOf } from './survivorship.ts';
import type { GoldenRecord, SourceRecord } from './record.ts';

type Json = Record<string, unknown>;

/** The form of business ids: text, or bare JSON numbers of any size. */
export type WriteId = (id: string) => unknown;

/** How records travel. */
export interface Wire {
  readonly writeId: WriteId;
  readonly dialect: Dialect;
}

const USER = 'sandbox';

/** A golden record as Master Read returns it. */
export function showGolden(golden: GoldenRecord, wire: Wire, withContentMeta: boolean): Json {
  return {
    _meta: metaOf(golden, wire),
    ...(withContentMeta && { _contentMeta: contentMetaOf(golden) }),
    ...blendOf(golden),
  };
}

/** A cross reference as Source Read returns it. */
export function showSource(source: SourceRecord, { writeId, dialect }: Wire, withContentMeta: boolean): Json {
  const { entity, businessId, creationDate, updatedAt, changedAt } = source;
  return {
    _meta: {
      businessId: writeId(businessId),
      businessEntity: entity,
      states: { base: 'ACTIVE', validation: 'PASSED', consolidation: 'CONSOLIDATED' },
      createdBy: USER,
      creationDate,
      updatedBy: USER,
      lastUpdateDate: updatedAt,
      ...dialect.sourceId(source),
      sourceLastUpdatedDate: changedAt,
      xrefType: 'DATA',
    },
    ...(withContentMeta && { _contentMeta: { trust: { updateCount: 0, fieldData: [] } } }),
    ...fieldsOf(source),
  };
}

/** The fields with a value in a source record. */
export function fieldsOf(source: SourceRecord): Json {
  const fields = [...source.fields].filter(([, { value }]) => value !== null);
  return Object.fromEntries(fields.map(([name, { value }]) => [name, value]));
}

/** A golden record as Search returns it: names at the root start with the entity. */
export function showHit(golden: GoldenRecord, wire: Wire, withContentMeta: boolean): Json {
  const prefix = `${golden.entity.replaceAll('.', '')}.`;
  const fields = Object.entries(blendOf(golden)).map(([name, value]): [string, unknown] => [`${prefix}${name}`, value]);
  return {
    _meta: { ...metaOf(golden, wire), score: 1 },
    ...(withContentMeta && { _contentMeta: contentMetaOf(golden) }),
    ...Object.fromEntries(fields),
  };
}

function metaOf(golden: GoldenRecord, { writeId, dialect }: Wire): Json {
  return {
    ...dialect.goldenId(golden),
    businessId: writeId(golden.businessId),
    businessEntity: golden.entity,
    states: {
      base: golden.state,
      validation: 'PASSED',
      consolidation: golden.sources.size > 1 ? 'CONSOLIDATED' : 'MATCH_INDEXED',
    },
    createdBy: USER,
    creationDate: golden.creationDate,
    updatedBy: USER,
    lastUpdateDate: Math.max(...[...golden.sources].map(({ updatedAt }) => updatedAt)),
  };
}

function contentMetaOf(golden: GoldenRecord): Json {
  const fieldData = [...winnersOf(golden)].map(([name, { source }]) => ({
    name,
    sourceSystem: source.sourceSystem,
    trustScore: 100,
  }));
  return { trust: { updateCount: golden.sources.size - 1, fieldData }, dataEnhancementRule: {} };
}
