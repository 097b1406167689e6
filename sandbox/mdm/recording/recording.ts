import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shape } from './shape.ts';

/** A request and its response, without values. */
export interface Exchange {
  readonly method: string;
  /** The path; `{…}` stands for what identifies a record or an entity. */
  readonly path: string;
  /** Names of the parameters in the query. */
  readonly query: readonly string[];
  readonly contentType?: string;
  readonly request?: Shape;
  readonly status: number;
  /** Headers of the response; only of those that describe the body, the value. */
  readonly headers: Readonly<Record<string, string>>;
  /** The shape of the body; undefined without one, `html` or `other` if it is not JSON. */
  readonly body?: Shape;
}

/** In place of the value of a header. */
export const UNKNOWN = 'text';
/** The shape of an HTML page, and of a body that is neither HTML nor JSON. */
export const HTML = 'html';
export const OTHER = 'other';

/** Exchanges by the step that made them, in order. */
export type Recording = Readonly<Record<string, readonly Exchange[]>>;

const SUFFIX = '.json';

/** Writes a recording: a file a step. */
export function writeRecording(folder: string, recording: Recording): void {
  mkdirSync(folder, { recursive: true });
  for (const [step, exchanges] of Object.entries(recording)) {
    writeFileSync(join(folder, step + SUFFIX), `${JSON.stringify(exchanges, null, 2)}\n`);
  }
}

/** Reads a recording. @throws {Error} if the folder holds none */
export function readRecording(folder: string): Recording {
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  if (files.length === 0) throw new Error(`${folder} holds no recording`);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly Exchange[];
  return Object.fromEntries(files.map((name) => [name.slice(0, -SUFFIX.length), read(name)]));
}

/** Headers whose value describes the response; of others only the name is kept. */
const DESCRIBING = new Set(['content-type', 'content-disposition', 'retry-after']);
/** Headers of the connection and of proxies, which say nothing of the service. */
const TRANSPORT_HEADERS =
  /^(connection|content-length|content-encoding|date|keep-alive|transfer-encoding|set-cookie|vary|via|server|age)$/;

/** The headers that a recording keeps, by their names. */
export function headersToKeep(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = [...headers].filter(([name]) => !TRANSPORT_HEADERS.test(name));
  const pairs = kept.map(([name, value]) => [name, DESCRIBING.has(name) ? value : UNKNOWN] as const);
  return Object.fromEntries(pairs.toSorted(([one], [other]) => one.localeCompare(other)));
}
