import type { RecordOperation } from '../../contract/parameters/mdm.ts';
import type { Entity, Field } from './model-digest.ts';

type Schema = Record<string, unknown>;

/**
 * JSON Schema 2020-12 of an entity's records: the `record` of `source-submit`, or the payload of a read.
 *
 * Submitted records may have only the entity's fields, and the required fields are those of a new record. Read records
 * require only `_meta`, because the API omits fields that the user may not read.
 *
 * @example
 * recordSchema(await readEntity(mdm, 'c360.city'), 'source-submit').required // ['name', 'country']
 */
export function recordSchema(entity: Entity, operation: RecordOperation): Schema {
  if (operation === 'source-submit') return submittedSchema(entity, { isNew: true });
  const head = headOf(entity);
  if (operation === 'search') return { ...head, ...searchResponse(entity) };
  return { ...head, ...readRecord(entity, operation === 'source-read' ? META.source : META.golden) };
}

/** JSON Schema of a submitted record. Only a record that is certainly new needs its required fields. */
export function submittedSchema(entity: Entity, { isNew }: { isNew: boolean }): Schema {
  const metaProperties = { _meta: { type: 'object' }, _contentMeta: { type: 'object' } };
  return { ...headOf(entity), ...submitted(entity.fields, metaProperties, isNew) };
}

const headOf = (entity: Entity) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: entity.displayName,
});

const text = { type: 'string' };
/** Epoch milliseconds as a number or text; some sources submit ISO 8601. */
const date = { type: ['integer', 'string'], description: 'Epoch milliseconds, or a date as text.' };

/** `_meta` of a record, by the operation that reads it. */
export const META = {
  golden: meta({}),
  source: meta({ sourceSystem: text, sourcePrimaryKey: text, sourceLastUpdatedDate: date, xrefType: text }),
  found: meta({ score: { type: 'number' } }),
};

function meta(more: Record<string, Schema>): Schema {
  const states = { type: 'object', properties: { base: text, validation: text, consolidation: text } };
  const properties = {
    businessId: { type: ['string', 'integer'] },
    businessEntity: text,
    states,
    createdBy: text,
    creationDate: date,
    updatedBy: text,
    lastUpdateDate: date,
    ...more,
  };
  return { type: 'object', properties };
}

const contentMeta = {
  type: 'object',
  description: 'Only on request, and not always then.',
  properties: { trust: { type: 'object' }, dataEnhancementRule: { type: 'object' } },
};

function readRecord(entity: Entity, metaSchema: Schema, prefix = ''): Schema {
  const fields = Object.fromEntries(entity.fields.map((field) => [`${prefix}${field.name}`, readField(field)]));
  const properties: Schema = { _meta: metaSchema, _contentMeta: contentMeta, ...fields };
  return { type: 'object', properties, required: ['_meta'] };
}

function searchResponse(entity: Entity): Schema {
  const prefix = `${entity.id.replaceAll('.', '')}.`;
  const records = { type: 'array', items: readRecord(entity, META.found, prefix) };
  const count = { type: 'integer' };
  const properties = {
    hits: count,
    pageSize: count,
    pageOffset: count,
    recordsToReturn: count,
    recordOffset: count,
    records,
  };
  const searchResult = { type: 'object', properties, required: ['records'] };
  return { type: 'object', properties: { searchResult }, required: ['searchResult'] };
}

/** A decimal number as text, which has all its digits. */
const DECIMAL = '^[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$';

const VALUES: Record<Exclude<Field['kind'], 'group' | 'lookup'>, Schema> = {
  text,
  integer: { type: 'integer' },
  number: { type: ['number', 'string'], pattern: DECIMAL, description: 'A number, or a decimal number as text.' },
  boolean: { type: 'boolean' },
  date,
  unknown: {},
};

function readField(field: Field): Schema {
  return shape(field, (fields) => {
    const properties = Object.fromEntries(fields.map((inner) => [inner.name, readField(inner)]));
    return { type: 'object', properties: field.many ? { _id: text, ...properties } : properties };
  });
}

/** A submitted field may be `null`, which clears its value. */
function submittedField(field: Field, isNew: boolean): Schema {
  const schema = shape(field, (fields) => submitted(fields, field.many ? { _id: text } : {}, isNew));
  return field.required || schema.type === undefined ? schema : { ...schema, type: [schema.type, 'null'].flat() };
}

function submitted(fields: readonly Field[], own: Record<string, Schema>, isNew: boolean): Schema {
  const properties = Object.fromEntries(fields.map((field) => [field.name, submittedField(field, isNew)]));
  const required = fields.filter((field) => isNew && field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: { ...own, ...properties },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of a field's value; a list if the field has many values. */
function shape(field: Field, group: (fields: readonly Field[]) => Schema): Schema {
  const one =
    field.kind === 'group'
      ? group(field.fields)
      : field.kind === 'lookup'
        ? { type: 'object', properties: { Name: text, Code: text } }
        : VALUES[field.kind];
  const title = field.label === undefined ? {} : { title: field.label };
  return field.many ? { ...title, type: 'array', items: one } : { ...title, ...one };
}
