import Type, { type TSchema } from 'typebox';
import { namesMissing, type Form } from '#lib/contract/alternatives.ts';
import { ConfigRef, type Operation } from '#lib/contract/operation.ts';
import * as consumer from '#lib/contract/parameters/consumer.ts';
import * as entry from '#lib/contract/parameters/entry.ts';
import * as http from '#lib/contract/parameters/http.ts';
import * as match from '#lib/contract/parameters/match.ts';
import * as mdm from '#lib/contract/parameters/mdm.ts';
import * as redrive from '#lib/contract/parameters/redrive.ts';
import * as search from '#lib/contract/parameters/search.ts';
import * as source from '#lib/contract/parameters/source.ts';
import * as status from '#lib/contract/parameters/status.ts';
import * as streamInfo from '#lib/contract/parameters/stream-info.ts';
import * as stream from '#lib/contract/parameters/stream.ts';
import { META } from '#lib/mdm/metadata/record-schema.ts';
import { callerSchema, describedAs, type Schema } from './caller-schema.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';
import { typeName } from './openapi/document.ts';

/*
 * The types of the client: input and output of every operation, by name. Shared schemas have one type with their
 * exported name. A choice between forms is a union of their types.
 */

/** The parts that the caller's own types decide: the business entity of a call, and the fields of its records. */
const TYPE_PARAMETERS = { Entity: 'Entity extends string = string', Fields: 'Fields = AnyRecord' };

/** Types that depend on those. */
const BY_ENTITY = new Map<string, string>([
  [JSON.stringify(mdm.BusinessEntity), 'Entity'],
  [JSON.stringify(search.SearchedEntity), 'Entity'],
  [JSON.stringify(mdm.GoldenRecord), 'GoldenRecord<Fields>'],
  [JSON.stringify(mdm.SourceRecord), 'SourceRecord<Fields>'],
  [JSON.stringify(search.FoundRecord), 'FoundRecord<Entity, Fields>'],
  [JSON.stringify(mdm.SubmittedRecord), 'Changes<Fields>'],
  [JSON.stringify(match.MatchedFields), 'Changes<Fields>'],
  [JSON.stringify(mdm.WholeRecord), 'Fields'],
]);

const HEADER = `// ${GENERATED}

import type { AnyRecord, Changes, Prefixed, Read } from './records.ts';

/** Any JSON value. */
export type AnyJson = Record<string, unknown> | unknown[] | string | number | boolean | null;
/** A golden record, as \`mdm-master-read\` returns it. */
export type GoldenRecord<Fields = AnyRecord> = Read<Fields, RecordMeta>;
/** A source record, as \`mdm-source-read\` returns it. */
export type SourceRecord<Fields = AnyRecord> = Read<Fields, SourceMeta>;
/** A golden record, as \`mdm-search\` returns it. */
export type FoundRecord<Entity extends string = string, Fields = AnyRecord> = Read<Prefixed<Entity, Fields>, FoundMeta>;
`;

/**
 * Properties that objects share, as the interface that they extend. A larger group comes before one that it contains.
 */
const GROUPS = Object.entries({
  Submission: ['Parameters of every submission.', mdm.submission],
  SubmissionBatch: ['Parameters of every batch of submissions.', mdm.submissionBatch],
  SourceKey: ['Names a source record.', mdm.sourceKey],
  GoldenKey: ['Names a golden record.', mdm.goldenKey],
  OfEntity: ['Names a business entity.', { businessEntity: mdm.BusinessEntity }],
  OfStream: ['Names a stream.', { key: stream.StreamKey }],
  EntryOptions: ['How entries are written.', entry.entryOptions],
  RecordAttributes: ['Attributes of a record.', mdm.recordAttributes],
  CommonAttributes: ['Attributes of every response of the MDM.', mdm.commonAttributes],
  Configured: ['What every operation takes.', { configRef: ConfigRef }],
} satisfies Record<string, [string, Record<string, TSchema>]>)
  .map(([name, [description, properties]]) => ({
    name,
    schema: { description, ...Type.Object(properties) } as TSchema as Schema,
  }))
  .concat({ name: 'RecordMeta', schema: { description: '`_meta` of a golden record.', ...META.golden } });

/** The contracts' shared schemas that get a name, by their JSON. */
const VOCABULARY = new Map(
  Object.entries({
    ...consumer,
    ...entry,
    ...http,
    ...match,
    ...mdm,
    ...redrive,
    ...search,
    ...source,
    ...status,
    ...streamInfo,
    ...stream,
  }).flatMap(([name, value]) =>
    isComposite(value as Schema) ? [[JSON.stringify(value), { name, schema: value as Schema }] as const] : [],
  ),
);

/** The types of the client for other Lambdas. */
export function clientTypesFile(registry: readonly Operation[]): GeneratedFile {
  const types = new Declarations();
  types.named('SourceMeta', { description: '`_meta` of a source record.', ...META.source });
  types.named('FoundMeta', { description: '`_meta` of a record that a search found.', ...META.found });
  const operations = registry.map(({ name, summary, input, output }) => {
    const inputType = types.named(`${typeName(name)}Input`, {
      ...(input as TSchema as Schema),
      description: `Parameters of \`${name}\`.`,
    });
    const outputType = types.output(`${typeName(name)}Output`, output as Schema);
    const about = isComposite(output as Schema) ? '' : comment(callerSchema(output).description);
    return `${comment(summary)}'${name}': { input: ${inputType};\n${about}output: ${outputType} };`;
  });
  const all = declaration(
    'Operations',
    'Input and output of every operation, by its name.',
    `{${operations.join('\n')}}`,
  );
  return { path: 'lib/client/operations.generated.ts', contents: [HEADER, ...types.texts, all].join('\n') };
}

/** The parts of an object's type: interfaces that it extends, its own members, and choices between forms. */
interface Parts {
  bases: string[];
  members: string[];
  choices: string[];
}

/** Named types, each declared once. */
class Declarations {
  readonly #declared = new Map<string, { schema: string; text: string }>();

  get texts(): string[] {
    return [...this.#declared.values()].map(({ text }) => text);
  }

  /** The type of an output: named, if it is not a scalar and has no name yet. */
  output(name: string, schema: Schema): string {
    return isComposite(schema) && !VOCABULARY.has(JSON.stringify(schema)) ? this.named(name, schema) : this.#of(schema);
  }

  /** Declares the type of a schema, and returns a reference to it. */
  named(name: string, schema: Schema): string {
    const key = JSON.stringify(schema);
    const declared = this.#declared.get(name);
    if (declared && declared.schema !== key) throw new Error(`Two types of the client are named ${name}`);
    if (!declared) this.#declared.set(name, { schema: key, text: this.#declare(name, schema) });
    return reference(name, this.#declared.get(name)!.text);
  }

  #declare(name: string, schema: Schema): string {
    const { description } = callerSchema(schema);
    if (!schema.properties) return declaration(name, description, this.#unnamed(schema));
    const { bases, members, choices } = this.#partsOf(schema);
    const body = `{${members.join('\n')}}`;
    if (choices.length === 0) return declaration(name, description, body, bases);
    if (bases.length + members.length === 0) return declaration(name, description, choices.join(' & '));
    const common = declaration(`${name}Common`, `What every form of \`${name}\` has.`, body, bases);
    const form = [reference(`${name}Common`, common), ...choices].join(' & ');
    return `${common}\n${declaration(name, description, form)}`;
  }

  #of(schema: Schema): string {
    const key = JSON.stringify(schema);
    const known = VOCABULARY.get(key);
    return BY_ENTITY.get(key) ?? (known ? this.named(known.name, known.schema) : this.#unnamed(schema));
  }

  #unnamed(schema: Schema): string {
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf) return schema.anyOf.map((one) => this.#of(one)).join(' | ');
    if (schema.type === undefined) return 'unknown';
    const types = [schema.type].flat();
    return types.length === 6 ? 'AnyJson' : types.map((type) => this.#ofType(type, schema)).join(' | ');
  }

  #ofType(type: string, schema: Schema): string {
    if (type === 'integer') return 'number';
    if (type === 'array') return `(${this.#of(schema.items ?? {})})[]`;
    if (type !== 'object') return type;
    const { additionalProperties: others } = schema;
    if (!schema.properties) return typeof others === 'object' ? `Record<string, ${this.#of(others)}>` : 'AnyRecord';
    const { bases, members, choices } = this.#partsOf(schema);
    return [...bases, ...(members.length > 0 ? [`{${members.join('\n')}}`] : []), ...choices].join(' & ');
  }

  #partsOf(schema: Schema): Parts {
    const { properties = {}, additionalProperties: others, 'x-alternatives': choices = [] } = schema;
    const chosen = new Set(choices.flatMap(namesIn));
    const common = new Set(Object.keys(properties).filter((name) => !chosen.has(name)));
    const bases: string[] = [];
    for (const group of GROUPS) {
      const names = Object.keys(group.schema.properties!);
      if (group.schema === schema || !names.every((name) => common.has(name) && isSame(name, schema, group.schema)))
        continue;
      bases.push(this.named(group.name, group.schema));
      names.forEach((name) => common.delete(name));
    }
    const members = [...common].map((name) => this.#member(name, properties[name]!, isRequired(name, schema)));
    if (others === true) members.push('[name: string]: unknown;');
    return { bases, members, choices: choices.map((forms) => this.#choice(forms, schema)) };
  }

  #choice(forms: readonly Form[], schema: Schema): string {
    const types = forms.map((form) => {
      const missing = new Set(namesMissing(forms, form));
      const members = namesIn(forms).map((name) => {
        if (missing.has(name)) return `'${name}'?: never;`;
        const property = form.narrowed?.[name];
        const whole = schema.properties![name]!;
        const required = form.required?.includes(name) ?? false;
        return this.#member(
          name,
          property ? describedAs(whole, property) : whole,
          required || isRequired(name, schema),
        );
      });
      const text = declaration(form.name, undefined, `{${members.join('\n')}}`);
      const declared = this.#declared.get(form.name);
      if (declared && declared.text !== text) throw new Error(`Two forms are named ${form.name}`);
      this.#declared.set(form.name, { schema: '', text });
      return reference(form.name, text);
    });
    return `(${types.join(' | ')})`;
  }

  #member(name: string, schema: Schema, required: boolean): string {
    return `${comment(callerSchema(schema).description)}'${name}'${required ? '' : '?'}: ${this.#of(schema)};`;
  }
}

/** Whether a schema is made of objects or lists. A record's fields are not: their names depend on the entity. */
function isComposite(schema: Schema): boolean {
  if (BY_ENTITY.has(JSON.stringify(schema))) return false;
  const { type, anyOf, properties, additionalProperties: others } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(isComposite);
  const types = [type].flat();
  return types.length < 6 && (types.includes('array') || (types.includes('object') && !!(properties ?? others)));
}

/** Whether a property has the same schema in two objects, and is required in both or in neither. */
const isSame = (name: string, one: Schema, other: Schema) =>
  JSON.stringify(one.properties![name]) === JSON.stringify(other.properties![name]) &&
  isRequired(name, one) === isRequired(name, other);

/** Whether callers must give a property; not if it has a default. */
const isRequired = (name: string, { required = [], properties = {} }: Schema) =>
  required.includes(name) && !('default' in properties[name]!);

/** The property names in a choice. */
const namesIn = (forms: readonly Form[]) => [
  ...new Set(
    forms.flatMap(({ required = [], optional = [], narrowed = {} }) => [
      ...required,
      ...optional,
      ...Object.keys(narrowed),
    ]),
  ),
];

function declaration(
  name: string,
  description: string | undefined,
  body: string,
  bases: readonly string[] = [],
): string {
  const head = `${name}${parameters(`${bases.join()}${body}`, (one) => TYPE_PARAMETERS[one])}`;
  const text = body.startsWith('{')
    ? `interface ${head} ${bases.length > 0 ? `extends ${bases.join(', ')} ` : ''}${body}`
    : `type ${head} = ${body};`;
  return `${comment(description)}export ${text}`;
}

/** A reference to a declared type. */
const reference = (name: string, declared: string) =>
  `${name}${parameters(declared.slice(declared.lastIndexOf('\nexport ') + 1), (one) => one)}`;

/** The type parameters that a text needs. */
function parameters(text: string, write: (name: keyof typeof TYPE_PARAMETERS) => string): string {
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, '');
  const names = (['Entity', 'Fields'] as const).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return names.length === 0 ? '' : `<${names.map(write).join(', ')}>`;
}

const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`);
