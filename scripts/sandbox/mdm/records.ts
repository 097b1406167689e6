import { refusal } from './responses.ts';
import { ENTITIES, SOURCE_SYSTEMS, type ModelEntity } from './data-model.ts';
import { missingFields, readFields } from './record-check.ts';

type Fields = Record<string, unknown>;

/** A cross reference: what one source system said of one thing. */
export interface SourceRecord {
  readonly entity: string;
  readonly sourceSystem: string;
  readonly sourcePKey: string;
  businessId: string;
  /** Each field with the moment, a counter, when it was last submitted. */
  readonly fields: Map<string, { value: unknown; at: number }>;
  readonly creationDate: number;
  updatedAt: number;
  /** Equal for source records of one thing. */
  match: string;
}

/** A golden record: its sources blended, the latest value of each field surviving. */
export interface GoldenRecord {
  readonly businessId: string;
  readonly entity: string;
  readonly sources: Set<SourceRecord>;
  readonly creationDate: number;
  state: string;
  /** Whether searches leave it out of their pages though they count it: the user may not read it. */
  hidden: boolean;
  blended?: Fields;
}

export interface RecordsOptions {
  /** Fields whose values tell that two source records speak of one thing, an entity. An entity without never merges. */
  matchRules?: Record<string, readonly string[]>;
  /** The next business id. Default `MDM` and 11 letters or digits. */
  newBusinessId?: (count: number) => string;
}

export interface Submit {
  entity: string;
  sourceSystem: string;
  sourcePKey?: string;
  businessId?: string;
  record: Fields;
}

const MATCH_RULES = {
  'c360.city': ['name', 'country', 'adminCode'],
  'c360.person': ['firstName', 'lastName', 'birthDate'],
};

/** What the tenant holds. */
export class Records {
  readonly #sources = new Map<string, SourceRecord>();
  readonly #golden = new Map<string, GoldenRecord>();
  readonly #matches = new Map<string, GoldenRecord>();
  readonly #matchRules: Record<string, readonly string[]>;
  readonly #newBusinessId: (count: number) => string;
  #clock = 0;
  #ids = 0;

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
    const golden = this.#golden.get(businessId);
    return golden?.entity === entity ? golden : undefined;
  }

  source(entity: string, sourceSystem: string, sourcePKey: string): SourceRecord | undefined {
    return this.#sources.get(keyOf(entity, sourceSystem, sourcePKey));
  }

  /** Every golden record of an entity, oldest first. */
  allGolden(entity: string): GoldenRecord[] {
    return [...this.#golden.values()].filter((golden) => golden.entity === entity);
  }

  /** Every source record of an entity, oldest first. */
  allSources(entity: string): SourceRecord[] {
    return [...this.#sources.values()].filter((source) => source.entity === entity);
  }

  /** Creates or updates a source record, and puts it under the golden record of the same thing. */
  submit(submit: Submit): { source: SourceRecord; created: boolean } {
    const { entity, sourceSystem, sourcePKey = this.#newKey() } = submit;
    const known = this.source(entity, sourceSystem, sourcePKey);
    const fields = this.#check(submit, sourcePKey, known);
    const now = Date.now();
    const at = ++this.#clock;
    const source = known ?? {
      entity,
      sourceSystem,
      sourcePKey,
      businessId: '',
      fields: new Map(),
      creationDate: now,
      updatedAt: now,
      match: '',
    };
    for (const [name, value] of Object.entries(fields)) source.fields.set(name, { value, at });
    source.updatedAt = now;
    this.#sources.set(keyOf(entity, sourceSystem, sourcePKey), source);
    this.#consolidate(source, submit.businessId);
    return { source, created: !known };
  }

  #newKey(): string {
    return `auto-${(this.#sources.size + 1).toString().padStart(9, '0')}`;
  }

  /** The submitted fields as they are kept. */
  #check({ entity: guid, sourceSystem, businessId, record }: Submit, key: string, known?: SourceRecord): Fields {
    const entity = this.entity(guid);
    if (!Object.hasOwn(SOURCE_SYSTEMS, sourceSystem)) {
      throw refusal(400, 'MDM_SOURCE_SYSTEM_UNKNOWN', 'The source system does not exist');
    }
    if (businessId !== undefined && !this.golden(guid, businessId)) {
      throw refusal(404, 'MDM_RECORD_NOT_FOUND', `No record ${businessId}`);
    }
    const [fields, faults] = readFields(entity.field, record);
    const before = [...(known?.fields ?? [])].map(([name, { value }]): [string, unknown] => [name, value]);
    faults.push(...missingFields(entity.field, { ...Object.fromEntries(before), ...fields }));
    if (faults.length > 0) throw refusal(400, 'MDM_RECORD_INVALID', `The record with key ${key} is not valid`, faults);
    return fields;
  }

  #consolidate(source: SourceRecord, businessId = ''): void {
    const current = this.#golden.get(source.businessId);
    const match = this.#matchOf(source);
    if (current && match !== source.match) this.#forgetMatch(source, current);
    const alone = current?.sources.size === 1 ? current : undefined;
    const golden = this.#golden.get(businessId) ?? this.#matches.get(match) ?? alone ?? this.#newGolden(source);
    if (current && current !== golden) this.#leave(source, current);
    golden.sources.add(source);
    golden.blended = undefined;
    source.businessId = golden.businessId;
    source.match = match;
    this.#matches.set(match, golden);
  }

  #forgetMatch(source: SourceRecord, golden: GoldenRecord): void {
    const shared = [...golden.sources].some((other) => other !== source && other.match === source.match);
    if (!shared) this.#matches.delete(source.match);
  }

  #leave(source: SourceRecord, golden: GoldenRecord): void {
    golden.sources.delete(source);
    golden.blended = undefined;
    if (golden.sources.size === 0) this.#golden.delete(golden.businessId);
  }

  #newGolden(source: SourceRecord): GoldenRecord {
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

  #matchOf(source: SourceRecord): string {
    const values = (this.#matchRules[source.entity] ?? []).map((name) => plain(source.fields.get(name)?.value));
    const tellsApart = values.length > 0 && values[0] !== '';
    return tellsApart
      ? `${source.entity} ${JSON.stringify(values)}`
      : keyOf(source.entity, source.sourceSystem, source.sourcePKey);
  }
}

const keyOf = (...parts: string[]) => parts.join('\u0000');

function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  const code = (value as { Code?: unknown }).Code ?? value;
  return (typeof code === 'string' ? code : JSON.stringify(code)).trim().toLowerCase();
}

const textId = (count: number) => `MDM${(36 ** 10 + count).toString(36).toUpperCase().slice(1).padStart(11, '0')}`;
