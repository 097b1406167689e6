/*
 * How the fields of a record appear in what operations take and return, made from the types that `npm run types`
 * writes.
 */

/** A record whose fields the compiler does not know. */
export type AnyRecord = Record<string, unknown>;

/** Records of any business entity. */
export type AnyRecords = Record<string, AnyRecord>;

/** The internal ids of the business entities in a map of records. */
export type EntityOf<Records> = Extract<keyof Records, string>;

/** A record as you read it. */
export type Read<Fields, Meta> = string extends keyof Fields ? Fields : FieldsRead<Fields> & { _meta: Meta };

/**
 * Every field is optional, because the API omits those that the user may not read. Only submitted fields may be `null`.
 */
export type FieldsRead<Fields> = { [Name in keyof Fields as Exclude<Name, '_meta'>]?: ReadValue<Fields[Name]> };

/** Fields with their names in a search: `c360city.name`. */
export type Prefixed<Entity extends string, Fields> = {
  [Name in keyof Fields as PrefixedName<Entity, Name>]: Fields[Name];
};

/** Some fields of a record. Whether an omitted field keeps its value depends on the tenant. */
export type Changes<Fields> = { [Name in keyof Fields]?: ChangedValue<Fields[Name]> };

type ReadValue<Value> = Value extends readonly (infer Item)[]
  ? ReadValue<Item>[]
  : Value extends object
    ? FieldsRead<Value>
    : Exclude<Value, null>;

type ChangedValue<Value> = Value extends readonly (infer Item)[]
  ? ChangedValue<Item>[]
  : Value extends object
    ? Changes<Value>
    : Value;

/** The prefix is the entity's id without its dots. */
type PrefixedName<Entity extends string, Name> = string extends Name
  ? Name
  : Name extends '_meta' | '_contentMeta'
    ? Name
    : `${WithoutDots<Entity>}.${Name & string}`;

type WithoutDots<Text extends string> = Text extends `${infer Head}.${infer Tail}`
  ? WithoutDots<`${Head}${Tail}`>
  : Text;
