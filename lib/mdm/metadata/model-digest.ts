type Json = Record<string, unknown>;

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'lookup' | 'group' | 'unknown';

export interface Field {
  readonly name: string;
  readonly label?: string;
  readonly kind: FieldKind;
  /** Whether it is a list. */
  readonly many: boolean;
  readonly required: boolean;
  /** Of a group. */
  readonly fields: readonly Field[];
}

export interface Named {
  readonly id: string;
  readonly displayName: string;
}

export interface Entity extends Named {
  readonly fields: readonly Field[];
  readonly sourceSystems: readonly Named[];
}

export interface DataModel {
  readonly entities: readonly Entity[];
  /** Those of all entities, and those without one. */
  readonly sourceSystems: readonly Named[];
}

/**
 * The part of a data model that this connector needs. Tenants write it differently: ids as `guid`, `id` or
 * `identifier`; source systems inside their entity or in a list at the root, as objects or text.
 *
 * @example
 * digestModel({ businessEntity: [{ id: 'c360.city', sourceSystem: ['crm'] }] }).sourceSystems
 * // [{ id: 'crm', displayName: 'crm' }]
 */
export function digestModel(model: Json): DataModel {
  const all = objects(model.businessEntity);
  const owned = systemsOf(model).map((system) => ({ system: named(system), owners: ownersOf(system, all) }));
  const entities = all
    .filter((entity) => isOfBusiness(idOf(entity)))
    .map((entity) => {
      const flat = owned.filter(({ owners }) => owners?.includes(entity) ?? true).map(({ system }) => system);
      return {
        ...named(entity),
        fields: objects(entity.field).map(digestField),
        sourceSystems: distinct([...systemsOf(entity).map(named), ...flat]),
      };
    });
  const systems = [...entities.flatMap(({ sourceSystems }) => sourceSystems), ...owned.map(({ system }) => system)];
  return { entities, sourceSystems: distinct(systems) };
}

/** Excludes reference data, enumerations and templates, which are listed among the entities. */
function isOfBusiness(id: string): boolean {
  const words = id.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return id !== '' && words[0] !== 'rdm' && !words.some((word) => /^(enum|template)/.test(word));
}

/** The source systems of a model or an entity, as objects or as ids. */
function systemsOf({ sourceSystem }: Json): Json[] {
  const list = [sourceSystem ?? []].flat();
  return objects(list.map((item) => (typeof item === 'string' ? { id: item } : item))).filter((system) => idOf(system));
}

/** The entities of a source system in the flat list; undefined for all. A `$ref` names an id or a position. */
function ownersOf({ businessEntity }: Json, all: readonly Json[]): Json[] | undefined {
  const refs = [businessEntity ?? []].flat().map(refOf);
  if (refs.length === 0) return undefined;
  return refs.flatMap((ref) => {
    const [, id = ref, position] = /@businessEntity(?:\[\w+='([^']+)'\]|\.(\d+))/.exec(ref) ?? [];
    return all.filter((entity, index) => (position === undefined ? idOf(entity) === id : index === Number(position)));
  });
}

function refOf(owner: unknown): string {
  if (typeof owner === 'string') return owner;
  return typeof owner === 'object' && owner !== null ? textAt(owner as Json, '$ref') || idOf(owner as Json) : '';
}

function digestField(field: Json): Field {
  const label = textAt(field.label as Json | undefined, 'en');
  return {
    name: textAt(field, 'name') || textAt(field, 'identifier'),
    ...(label !== '' && { label }),
    kind: kindOf(field),
    many: field.allowMany === true,
    required: field.required === true || field.mandatory === true,
    fields: objects(field.field).map(digestField),
  };
}

/** Kinds by a part of an `eClass`; the first match counts. */
const KINDS: readonly [RegExp, FieldKind][] = [
  [/lookup/i, 'lookup'],
  [/text|string/i, 'text'], // before the others: LongTextField
  [/date|time/i, 'date'],
  [/boolean/i, 'boolean'],
  [/integer|long/i, 'integer'],
  [/decimal|double|float|number/i, 'number'],
];

function kindOf(field: Json): FieldKind {
  const eClass = textAt(field, 'eClass');
  const isLeaf = objects(field.field).length === 0 && /field$/i.test(eClass); // some leaves have an empty list
  if (Array.isArray(field.field) && !isLeaf) return 'group';
  if (field.codeField !== undefined) return 'lookup';
  return KINDS.find(([pattern]) => pattern.test(eClass.slice(eClass.lastIndexOf('/'))))?.[1] ?? 'unknown';
}

function named(object: Json): Named {
  const id = idOf(object);
  return { id, displayName: textAt(object, 'displayName') || textAt(object, 'name') || id };
}

const idOf = (object: Json) => textAt(object, 'guid') || textAt(object, 'id') || textAt(object, 'identifier');

function distinct(systems: readonly Named[]): Named[] {
  return [...new Map(systems.map((system) => [system.id, system])).values()];
}

const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];

function textAt(object: Json | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}
