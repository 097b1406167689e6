import Type from 'typebox';
import type { ErrorType } from '../core/errors.ts';
import type { Idempotence } from '../core/idempotence.ts';
import type { OperationGroup } from './groups.ts';
import type { Statements } from './known-from.ts';

/** The two connectors of this bundle; the first part of an operation's name and of its route. */
export type Connector = 'mdm' | 'stream';

type Properties = Record<string, Type.TSchema>;

/** A property that callers may leave out and that `run` always receives. */
export type Defaulted<T extends Type.TSchema = Type.TSchema> = T & { readonly default: unknown };

/** Gives a property a default. Callers may omit it; `run` always receives it. */
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

/** The connector configuration to use. Every operation takes it. */
export const ConfigRef = withDefault(
  Type.String({
    pattern: '^[a-z0-9-]{1,64}$',
    description: 'Connector configuration: the name of the secret that holds the connections.',
    'x-message': 'must be 1 to 64 of a-z, 0-9 and -',
  }),
  'default',
);

/** What an operation changes. */
type Effect =
  | {
      /** It changes no records, streams and groups. MCP offers other operations only if writes are allowed. */
      readOnly: true;
      idempotent?: never;
    }
  | {
      readOnly?: false;
      /**
       * Whether the same call may be carried out twice without harm. From this follow retries by the connector and by
       * its client, `retryable` of errors whose outcome is unknown, and the documents.
       */
      idempotent: Idempotence;
    };

/**
 * An operation's contract: the one source of its validation, documents, sample event, function entry and client type.
 */
export type OperationSpec<P extends Properties, O extends Type.TSchema> = Description<P, O> & Effect;

interface Description<P extends Properties, O extends Type.TSchema> {
  /**
   * Connector and operation, the function's key: `stream-xadd` lives in a folder `xadd` and serves `POST /stream/xadd`.
   */
  name: `${Connector}-${string}`;
  /** The group in which documents show it. */
  group: OperationGroup;
  /** One line for lists and menus. */
  summary: string;
  /** What callers should know beyond the parameters. Markdown. */
  description?: string;
  /** Parameters. Unknown ones are refused, `configRef` is added. */
  input: Type.TObject<P>;
  /** The result. `null` and void travel over HTTP as 204. */
  output: O;
  /** Error types of this operation, besides those of every operation. */
  errors: readonly ErrorType[];
  /**
   * What the Redis user must be allowed, by kind of call. docs/redis.md, its users and `stream-check` are made of it.
   */
  rights?: readonly Rights[];
  /** The version of Redis that brought the command, if a supported server may be older. */
  sinceRedis?: string;
  /**
   * Who says what this operation relies on of the master data API, by names that stay: `npm run doctor -- --compare`
   * shows them. Every MDM operation has it.
   */
  knownFrom?: Statements;
  /** A call and its response, for the sample event and the documents. */
  example: { input: Record<string, unknown>; output: unknown };
  /** Whether HTTP returns the output as plain text, unless `Accept` asks for JSON. Default: JSON. */
  textOutput?: boolean;
  /** The parameter that makes a response smaller. The 413 for a response over 6 MB names it. */
  narrowWith?: string;
  /** Deployment settings other than the defaults. */
  deploy?: Partial<Deployment>;
}

/** What a Redis user needs for a kind of call. */
export interface Rights {
  /** The kind, in words that follow the operation's name. Default: any call. */
  when?: string;
  /** Parameters that make the example such a call. */
  given?: Record<string, unknown>;
  /** Commands as an ACL names them: `xinfo|groups`. */
  needs: readonly string[];
}

/** How a function is deployed. Its role allows what is stated here, and nothing else. */
export interface Deployment {
  /** Whether API Gateway routes to it. Default true. */
  http: boolean;
  /** Lambda timeout in seconds. Default 29, just under API Gateway's 30. */
  timeoutSeconds: number;
  /** Memory in MB, which also decides the share of a CPU. Default 512. */
  memoryMb: number;
  /** Whether it connects to Redis, and runs in the VPC, if there is one. Default: true for `stream` operations. */
  usesRedis: boolean;
  /** Whether it may invoke the `consumerTargets` of the deployment. Default false. */
  invokesTargets: boolean;
  /** Whether it may invoke the consumer. Default false. */
  wakesConsumer: boolean;
  /** Whether EventBridge Scheduler invokes it for each of the deployment's `configRefs`. Default false. */
  scheduled: boolean;
}

export interface Operation<P extends Properties = Properties, O extends Type.TSchema = Type.TSchema> extends Omit<
  Description<P, O>,
  'deploy'
> {
  connector: Connector;
  /** Whether it changes no records, streams and groups. */
  readOnly: boolean;
  /** Whether the same call may be carried out twice without harm; true for every operation that only reads. */
  idempotent: Idempotence;
  /** `POST` route on the HTTP API. */
  route: `/${string}`;
  deploy: Deployment;
}

/** The parameters of `run`: valid, with defaults filled in. */
export type ParametersOf<Op extends Operation> = Type.Static<Op['input']>;

/** The return value of `run`. */
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
 *   idempotent: true,
 *   example: { input: { key: 'orders', group: 'billing', ids: ['1526919030474-0'] }, output: 1 },
 * });
 */
export function defineOperation<P extends Properties, O extends Type.TSchema>(
  spec: OperationSpec<P, O>,
): Operation<P & { configRef: typeof ConfigRef }, O> {
  const [connector, operation] = splitName(spec.name);
  const { properties, type: _type, required: _required, ...rules } = spec.input;
  const { readOnly = false, idempotent = readOnly } = spec;
  return {
    ...spec,
    connector,
    readOnly,
    idempotent,
    route: `/${connector}/${operation}`,
    input: Type.Object({ ...properties, configRef: ConfigRef }, { ...rules, additionalProperties: false }),
    deploy: { ...USUAL_DEPLOYMENT, usesRedis: connector === 'stream', ...spec.deploy },
  };
}

function splitName(name: string): [Connector, string] {
  const at = name.indexOf('-');
  return [name.slice(0, at) as Connector, name.slice(at + 1)];
}
