type Json = Record<string, unknown>;

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'lookup' | 'group' | 'unknown';

export interface Field {
  readonly name: string;
  readonly label?: string;
  readonly kind: FieldKind;
  /** Whether it holds a list. */
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
  /** Of all entities, and those that belong to none. */
  readonly sourceSystems: readonly Named[];
}

/** The part of a data model that this connector works with. */
export function digestModel(model: Json): DataModel {
  const all = objects(model.businessEntity);
  const owned = objects(model.sourceSystem).map((system) => ({ system: named(system), owners: ownersOf(system, all) }));
  const entities = all
    .filter((entity) => isOfBusiness(textAt(entity, 'guid')))
    .map((entity) => {
      const nested = objects(entity.sourceSystem).map(named);
      const flat = owned
        .filter(({ owners }) => owners === undefined || owners.includes(entity))
        .map(({ system }) => system);
      return {
        ...named(entity),
        fields: objects(entity.field).map(digestField),
        sourceSystems: distinct([...nested, ...flat]),
      };
    });
  const systems = [...entities.flatMap(({ sourceSystems }) => sourceSystems), ...owned.map(({ system }) => system)];
  return { entities, sourceSystems: distinct(systems) };
}

/** Reference data, enumerations and templates stand among the entities too. */
const isOfBusiness = (id: string) =>
  id !== '' && !id.startsWith('rdm.') && !id.includes('enum') && !id.includes('template');

/** The entities that a source system of the flat list refers to; undefined for all. A `$ref` names a guid or a place. */
function ownersOf(system: Json, all: readonly Json[]): Json[] | undefined {
  const refs = objects([system.businessEntity].flat()).map((ref) => textAt(ref, '$ref'));
  if (refs.length === 0) return undefined;
  return refs.flatMap((ref) => {
    const [, guid, place] = /@businessEntity(?:\[guid='([^']+)'\]|\.(\d+))/.exec(ref) ?? [];
    return all.filter((entity, index) => (guid === undefined ? index === Number(place) : entity.guid === guid));
  });
}

function digestField(field: Json): Field {
  const label = textAt(field.label as Json | undefined, 'en');
  return {
    name: textAt(field, 'name'),
    ...(label !== '' && { label }),
    kind: kindOf(field),
    many: field.allowMany === true,
    required: field.required === true || field.mandatory === true,
    fields: objects(field.field).map(digestField),
  };
}

/** Kinds by the end of an `eClass`; the first that it holds. */
const KINDS: readonly [RegExp, FieldKind][] = [
  [/lookup/i, 'lookup'],
  [/date|time/i, 'date'],
  [/boolean/i, 'boolean'],
  [/integer|long/i, 'integer'],
  [/decimal|double|float|number/i, 'number'],
  [/text|string/i, 'text'],
];

function kindOf(field: Json): FieldKind {
  if (Array.isArray(field.field)) return 'group';
  if (field.codeField !== undefined) return 'lookup';
  const eClass = textAt(field, 'eClass');
  return KINDS.find(([pattern]) => pattern.test(eClass.slice(eClass.lastIndexOf('/'))))?.[1] ?? 'unknown';
}

function named(object: Json): Named {
  const id = textAt(object, 'guid') || textAt(object, 'id');
  return { id, displayName: textAt(object, 'displayName') || textAt(object, 'name') || id };
}

function distinct(systems: readonly Named[]): Named[] {
  return [...new Map(systems.map((system) => [system.id, system])).values()];
}

const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];

function textAt(object: Json | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}
