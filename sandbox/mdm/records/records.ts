import type { GoldenRecord, SourceRecord } from './record.ts';
import { refusal } from './responses.ts';
import { ENTITIES, SOURCE_SYSTEMS, type ModelEntity } from './data-model.ts';
import { MATCH_RULES, matchOf, type MatchRules } from './match-rules.ts';
import { missingFields, readFields } from './record-check.ts';

type Fields = Record<string, unknown>;

export interface RecordsOptions {
  /** Fields that identify a thing, by entity. Records of other entities never merge. */
  matchRules?: MatchRules;
  /** The next business id. Default `MDM` and 11 letters or digits. */
  newBusinessId?: (count: number) => string;
}

export interface Submit {
  entity: string;
  sourceSystem: string;
  sourcePKey?: string;
  businessId?: string;
  record: Fields;
  /** When the source changed it, in milliseconds since 1970. Default: now. */
  changedAt?: number;
  /** Whether omitted fields are removed. Default false: they stay. */
  replaces?: boolean;
  /** The record that must be whole. Default: the source record after the change. */
  whole?: Fields;
}

/** The records of the tenant. */
export class Records {
  readonly #sources = new Map<string, SourceRecord>();
  readonly #golden = new Map<string, GoldenRecord>();
  readonly #matches = new Map<string, GoldenRecord>();
  /** Ids of records that were merged, and the ids of those they went into. */
  readonly #redirects = new Map<string, string>();
  readonly #matchRules: MatchRules;
  readonly #newBusinessId: (count: number) => string;
  #clock = 0;
  #ids = 0;
  #keys = 0;

  constructor({ matchRules = MATCH_RULES, newBusinessId = textId }: RecordsOptions = {}) {
    this.#matchRules = matchRules;
    this.#newBusinessId = newBusinessId;
  }

  entity(guid: string): ModelEntity {
    const entity = ENTITIES.find((candidate) => candidate.guid === guid);
    if (!entity) throw refusal(404, 'MDM_ENTITY_NOT_FOUND', `Business entity ${guid} does not exist`);
    return entity;
  }

  golden(entity: string, businessId: string): GoldenRecord | undefined {
    const golden = this.#golden.get(businessId) ?? this.#golden.get(this.#redirects.get(businessId) ?? '');
    return golden?.entity === entity ? golden : undefined;
  }

  /** @throws {Refusal} if it does not exist */
  knownGolden(entity: string, businessId: string): GoldenRecord {
    const golden = this.golden(this.entity(entity).guid, businessId);
    if (!golden) throw refusal(404, 'MDM_RECORD_NOT_FOUND', `Record ${businessId} does not exist`);
    return golden;
  }

  /** Lets reads of a merged record's id find the survivor. */
  redirect(businessId: string, survivorId: string): void {
    for (const [id, target] of this.#redirects) if (target === businessId) this.#redirects.set(id, survivorId);
    this.#redirects.set(businessId, survivorId);
  }

  goldenById(businessId: string): GoldenRecord | undefined {
    return this.#golden.get(businessId);
  }

  source(entity: string, sourceSystem: string, sourcePKey: string): SourceRecord | undefined {
    return this.#sources.get(keyOf(entity, sourceSystem, sourcePKey));
  }

  /** The golden records of an entity, or of all, oldest first. */
  allGolden(entity?: string): GoldenRecord[] {
    return [...this.#golden.values()].filter((golden) => entity === undefined || golden.entity === entity);
  }

  /** The source records of an entity, oldest first. */
  allSources(entity: string): SourceRecord[] {
    return [...this.#sources.values()].filter((source) => source.entity === entity);
  }

  /** Creates or updates a source record, and assigns it to the matching golden record. */
  submit(submit: Submit): { source: SourceRecord; created: boolean } {
    const { entity, sourceSystem, sourcePKey = this.#newKey() } = submit;
    const known = this.source(entity, sourceSystem, sourcePKey);
    const fields = this.#check(submit, sourcePKey, known);
    const now = Date.now();
    const { changedAt = now } = submit;
    const at = ++this.#clock;
    const source: SourceRecord = known ?? {
      entity,
      sourceSystem,
      sourcePKey,
      businessId: '',
      fields: new Map(),
      creationDate: now,
      updatedAt: now,
      changedAt,
      match: '',
      isGrouped: false,
    };
    if (submit.replaces) for (const name of source.fields.keys()) if (!(name in fields)) source.fields.delete(name);
    for (const [name, value] of Object.entries(fields)) source.fields.set(name, { value, changedAt, at });
    Object.assign(source, { updatedAt: now, changedAt });
    this.#sources.set(keyOf(entity, sourceSystem, sourcePKey), source);
    this.#consolidate(source, submit.businessId);
    return { source, created: !known };
  }

  #newKey(): string {
    return `auto-${(++this.#keys).toString().padStart(9, '0')}`;
  }

  /** The submitted fields in their stored form. */
  #check(submit: Submit, key: string, known?: SourceRecord): Fields {
    const { entity: guid, sourceSystem, businessId, record, replaces, whole } = submit;
    const entity = this.entity(guid);
    if (!Object.hasOwn(SOURCE_SYSTEMS, sourceSystem)) {
      throw refusal(400, 'MDM_SOURCE_SYSTEM_UNKNOWN', 'The source system does not exist');
    }
    if (businessId !== undefined && !this.golden(guid, businessId)) {
      throw refusal(404, 'MDM_RECORD_NOT_FOUND', `No record ${businessId}`);
    }
    const [fields, faults] = readFields(entity.field, record);
    const before = replaces ? [] : [...(known?.fields ?? [])];
    const kept = Object.fromEntries(before.map(([name, { value }]) => [name, value]));
    faults.push(...missingFields(entity.field, whole ?? { ...kept, ...fields }));
    if (faults.length > 0) throw refusal(400, 'MDM_RECORD_INVALID', `The record with key ${key} is not valid`, faults);
    return fields;
  }

  #consolidate(source: SourceRecord, businessId = ''): void {
    const current = this.#golden.get(source.businessId);
    const match =
      matchOf(source, this.#matchRules[source.entity]) ?? keyOf(source.entity, source.sourceSystem, source.sourcePKey);
    if (current && match !== source.match) this.#forgetMatch(source, current);
    const onlySource = current?.sources.size === 1 ? current : undefined;
    const grouped = source.isGrouped ? current : undefined;
    const golden =
      this.#golden.get(businessId) ?? grouped ?? this.#matches.get(match) ?? onlySource ?? this.newGolden(source);
    source.match = match;
    this.#put(source, golden);
    if (!grouped || !this.#matches.has(match)) this.#matches.set(match, golden);
  }

  /** Moves a source record to another golden record. A golden record without sources is deleted. */
  move(source: SourceRecord, golden: GoldenRecord): void {
    const current = this.#golden.get(source.businessId);
    if (current) this.#forgetMatch(source, current);
    this.#put(source, golden);
    if (!this.#matches.has(source.match)) this.#matches.set(source.match, golden);
  }

  delete(source: SourceRecord): void {
    const golden = this.#golden.get(source.businessId)!;
    this.#forgetMatch(source, golden);
    this.#leave(source, golden);
    this.#sources.delete(keyOf(source.entity, source.sourceSystem, source.sourcePKey));
  }

  #put(source: SourceRecord, golden: GoldenRecord): void {
    const current = this.#golden.get(source.businessId);
    if (current && current !== golden) this.#leave(source, current);
    golden.sources.add(source);
    golden.blended = undefined;
    source.businessId = golden.businessId;
  }

  #forgetMatch(source: SourceRecord, golden: GoldenRecord): void {
    if (this.#matches.get(source.match) !== golden) return;
    const shared = [...golden.sources].some((other) => other !== source && other.match === source.match);
    if (!shared) this.#matches.delete(source.match);
  }

  #leave(source: SourceRecord, golden: GoldenRecord): void {
    golden.sources.delete(source);
    golden.blended = undefined;
    if (golden.sources.size === 0) this.#golden.delete(golden.businessId);
  }

  /** A new golden record for a source record. */
  newGolden(source: SourceRecord): GoldenRecord {
    const businessId = this.#newBusinessId(++this.#ids);
    const golden = {
      businessId,
      entity: source.entity,
      sources: new Set<SourceRecord>(),
      creationDate: source.creationDate,
      state: 'ACTIVE',
      hidden: false,
    };
    this.#golden.set(businessId, golden);
    return golden;
  }
}

const keyOf = (...parts: string[]) => parts.join('\u0000');

const textId = (count: number) => `MDM${(36 ** 10 + count).toString(36).toUpperCase().slice(1).padStart(11, '0')}`;
