import { forbid } from '../contract/refusals.ts';
import { namedValues, type NamedValue } from '../contract/named-values.ts';
import type { Operation } from '../contract/operation.ts';
import type { Fault } from '../core/errors.ts';
import type { AccessConfig } from '../config/config.schema.ts';

/** The parts of a call that `access` checks. */
export interface AccessCall {
  readonly operation: Pick<Operation, 'name' | 'connector' | 'readOnly' | 'idempotent' | 'input'>;
  readonly configRef: string;
  readonly parameters: unknown;
}

/** A stream key of a call, and its place in the parameters. */
type NamedKey = Pick<NamedValue, 'pointer' | 'value'>;

/**
 * Refuses a call that the `access` of its configuration does not allow. Operations on shards check their keys with
 * `checkKeys`.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:COMMAND` (403), with every fault
 */
export function checkAccess(call: AccessCall, access: AccessConfig): void {
  const { operation, configRef, parameters } = call;
  const faults: Fault[] = refusalsOf(operation, access).map((refusal) => {
    return { pointer: '', message: `is refused: configRef ${configRef} ${refusal}` };
  });
  const named = namedValues(operation.input, parameters);
  const keys = named.filter(({ names }) => names === 'stream' || names === 'dead-letters');
  faults.push(...keyFaults(call, access, keys));
  const { httpPaths = [''] } = access;
  for (const { names, pointer, value } of named) {
    if (names === 'path' && !httpPaths.some((prefix) => value.startsWith(prefix)))
      faults.push({ pointer, message: `is a path that configRef ${configRef} does not allow` });
  }
  if (faults.length > 0) throw forbid(operation.connector, faults);
}

/**
 * Refuses stream keys that the `access` of a configuration does not allow. If a stream is allowed, so is its
 * dead-letter stream.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:COMMAND` (403), with every fault
 */
export function checkKeys(call: AccessCall, access: AccessConfig, pointer: string, keys: readonly string[]): void {
  const faults = keyFaults(
    call,
    access,
    keys.map((value) => ({ pointer, value })),
  );
  if (faults.length > 0) throw forbid(call.operation.connector, faults);
}

function keyFaults({ configRef }: AccessCall, { keys: patterns }: AccessConfig, keys: readonly NamedKey[]): Fault[] {
  if (!patterns) return [];
  const isAllowed = (key: string) => patterns.some((pattern) => fits(pattern, key) || fits(pattern, streamOf(key)));
  const refused = new Set(keys.filter(({ value }) => !isAllowed(value)).map(({ pointer }) => pointer));
  return Array.from(refused, (pointer) => {
    return { pointer, message: `is a stream key that configRef ${configRef} does not allow` };
  });
}

/** Names of dead-letter streams, as lib/consumer/redis-keys.ts makes them. */
const DEAD_LETTERS = /^(?:(?<tag>\{[^}]+\}):|\{(?<plain>.+)\}|(?<tagged>[^{]*\{[^}]+\}.*?)):dead:/s;

/** The stream whose dead letters a key holds; any other key itself. */
export function streamOf(key: string): string {
  const { tag, plain, tagged } = DEAD_LETTERS.exec(key)?.groups ?? {};
  return tag ?? plain ?? tagged ?? key;
}

interface NamedOperation extends Pick<Operation, 'readOnly'> {
  readonly name: string;
}

/** Whether a configuration allows an operation, with some parameters at least. */
export const isAllowed = (operation: NamedOperation, access: AccessConfig = {}): boolean =>
  refusalsOf(operation, access).length === 0;

function refusalsOf({ name, readOnly }: NamedOperation, access: AccessConfig): string[] {
  const isNamed = fitsAny(access.operations ?? ['*'], name);
  return [
    ...(access.readOnly && !readOnly ? ['allows only operations that read'] : []),
    ...(isNamed ? [] : [`does not allow ${name}`]),
  ];
}

/** Whether a text matches one of several patterns. */
export const fitsAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => fits(pattern, text));

/** Whether a text matches a pattern, in which `*` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return text === pattern;
  const end = parts.pop()!;
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}
