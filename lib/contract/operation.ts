import Type from 'typebox';
import type { ErrorType } from '../core/errors.ts';
import type { Connector } from './connector.ts';
import type { Group } from './groups.ts';

type Properties = Record<string, Type.TSchema>;

/** A property that callers may leave out and that `run` always receives. */
export type Defaulted<T extends Type.TSchema = Type.TSchema> = T & { readonly default: unknown };

/** Gives a property a default: optional for callers, always present in `run`. */
export function withDefault<T extends Type.TSchema>(schema: T, value: Type.Static<T>): Defaulted<T> {
  return { ...schema, default: value };
}

/**
 * A rule that JSON Schema can check but not explain: when it fails, `message` replaces the errors inside it.
 *
 * @example
 * rule({ anyOf: [{ required: ['businessId'] }, { required: ['sourcePKey'] }] }, 'needs businessId or sourcePKey')
 */
export function rule(schema: Record<string, unknown>, message: string): Record<string, unknown> {
  return { ...schema, 'x-message': message };
}

/** Which connector configuration to use. Every operation takes it. */
export const ConfigRef = withDefault(
  Type.String({
    pattern: '^[a-z0-9-]{1,64}$',
    description: 'Connector configuration: which secret holds the connection.',
    'x-message': 'must be 1 to 64 of a-z, 0-9 and -',
  }),
  'default',
);

/** What an operation promises: the one source of its validation, documents, sample event, function entry and client type. */
export interface OperationSpec<P extends Properties, O extends Type.TSchema> {
  /** Connector and operation, the function's key: `stream-xadd` lives in a folder `xadd` and serves `POST /stream/xadd`. */
  name: `${Connector}-${string}`;
  /** What it is about: where documents show it. */
  group: Group;
  /** One line for lists and menus. */
  summary: string;
  /** What a caller should know beyond the parameters. Markdown. */
  description?: string;
  /** Parameters. Unknown ones are refused, `configRef` is added. */
  input: Type.TObject<P>;
  /** The result. `null` and void travel over HTTP as 204. */
  output: O;
  /** Error types that the operation raises besides those that every operation can. */
  errors: readonly ErrorType[];
  /** A call and its response: the sample event, and the example in the documents. */
  example: { input: Record<string, unknown>; output: unknown };
  /** HTTP: media type of a text output, which JSON replaces when `Accept` asks for it. Default: JSON. */
  textOutput?: boolean;
  /** Whether it leaves records, streams and groups as they are. Default false: MCP offers it only where writes are allowed. */
  readOnly?: boolean;
  /** The parameter that makes the response smaller, named in the 413 when it is over 6 MB. */
  narrowWith?: string;
  /** Deployment settings that differ from the defaults. */
  deploy?: Partial<Deployment>;
}

/** How a function is deployed. From this its role is made: it may do what is said here, and nothing else. */
export interface Deployment {
  /** Whether API Gateway routes to it. Default true. */
  http: boolean;
  /** Lambda timeout in seconds. Default 29, just under API Gateway's 30. */
  timeoutSeconds: number;
  /** Memory in MB, which also sets the share of a CPU. Default 512. */
  memoryMb: number;
  /** Whether it connects to Redis, and so runs in the VPC where there is one. Default: the connector is `stream`. */
  usesRedis: boolean;
  /** Whether it may invoke the target functions that the operator names. Default false. */
  invokesTargets: boolean;
  /** Whether it may invoke the consumer. Default false. */
  wakesConsumer: boolean;
  /** Whether EventBridge Scheduler invokes it with each configRef, as often as the operator says. Default false. */
  scheduled: boolean;
}

export interface Operation<P extends Properties = Properties, O extends Type.TSchema = Type.TSchema> extends Omit<
  OperationSpec<P, O>,
  'deploy'
> {
  connector: Connector;
  /** `POST` route on the HTTP API. */
  route: `/${string}`;
  deploy: Deployment;
}

/** What `run` receives: valid, defaults filled in. */
export type ParametersOf<Op extends Operation> = Type.Static<Op['input']>;

/** What `run` returns. */
export type OutputOf<Op extends Operation> = Type.Static<Op['output']>;

const USUAL_DEPLOYMENT = {
  http: true,
  timeoutSeconds: 29,
  memoryMb: 512,
  invokesTargets: false,
  wakesConsumer: false,
  scheduled: false,
};

/**
 * Declares an operation. A contract is a plain value: reading it starts no client and reads no environment.
 *
 * @example
 * export const xack = defineOperation({
 *   name: 'stream-xack',
 *   group: 'streams',
 *   summary: 'Acknowledge entries as processed by a group',
 *   input: Type.Object({ key: StreamKey, group: GroupName, ids: EntryIds }),
 *   output: Type.Integer(),
 *   errors: ['STREAM:COMMAND', 'STREAM:WRONG_TYPE'],
 *   example: { input: { key: 'orders', group: 'billing', ids: ['1526919030474-0'] }, output: 1 },
 * });
 */
export function defineOperation<P extends Properties, O extends Type.TSchema>(
  spec: OperationSpec<P, O>,
): Operation<P & { configRef: typeof ConfigRef }, O> {
  const [connector, operation] = splitName(spec.name);
  const { properties, type: _type, required: _required, ...rules } = spec.input;
  return {
    ...spec,
    connector,
    route: `/${connector}/${operation}`,
    input: Type.Object({ ...properties, configRef: ConfigRef }, { ...rules, additionalProperties: false }),
    deploy: { ...USUAL_DEPLOYMENT, usesRedis: connector === 'stream', ...spec.deploy },
  };
}

function splitName(name: string): [Connector, string] {
  const at = name.indexOf('-');
  return [name.slice(0, at) as Connector, name.slice(at + 1)];
}
