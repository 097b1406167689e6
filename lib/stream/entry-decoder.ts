import { isUtf8 } from 'node:buffer';
import { ConnectorError } from '../core/errors.ts';
import { isIntegerName, orderedObject } from '../core/json.ts';
import { unknownReply } from '../redis/reply-shapes.ts';
import type { Travel } from '../invocation/output.ts';
import type { EntryOptions, Fields, Pairs, RawEntry, StreamEntry } from './entries.ts';

/** Text that JSON writes unchanged, a byte per character. (Searching for another character takes twice as long.) */
const PLAIN = /[ !#-[\]-~]*/y;
/** Bytes of a text's quotes; inside JSON they are escaped. */
const QUOTES = { json: 2, text: 4, gzip: 2 };
/** Bytes of an entry besides its texts, in its longest form `,{"id":"","entry":{}}`; inside JSON with six escapes. */
const ENTRY_BYTES = { json: 21, text: 27, gzip: 21 };
/** Bytes of a pair besides its quotes, in its longest form `,["",""]`. */
const PAIR_BYTES = 4;
/** Bytes of `idleMs` and `deliveries`. */
const CLAIM_BYTES = 80;

/** Whether JSON writes a text unchanged, with one byte per character. */
function isPlain(text: string): boolean {
  PLAIN.lastIndex = 0;
  PLAIN.test(text);
  return PLAIN.lastIndex === text.length;
}

/** An object without inherited names, half as large in V8 as one of `Object.create(null)`. */
const Bare = function () {} as unknown as { new (): Fields; prototype: object | null };
Bare.prototype = Object.create(null) as object;

/** A field name. */
interface Name {
  readonly text: string;
  /** Its bytes when it travels. */
  readonly bytes: number;
  readonly isInteger: boolean;
}

/** Faults of entries that `object` or `utf8` cannot hold. */
export type Loss = 'repeated' | 'bytes';

const LOSSES: Record<Loss, [what: string, advice: string]> = {
  repeated: ['comes more than once', 'read it with format "pairs"'],
  bytes: ['holds bytes that are not UTF-8', 'read it with encoding "base64"'],
};

/** The error for an entry that would lose data. It names the field, and no value. */
export function lossOf(loss: Loss, id: string, field: string): ConnectorError {
  const [what, advice] = LOSSES[loss];
  return new ConnectorError('STREAM:COMMAND', `Field ${JSON.stringify(field)} of entry ${id} ${what}: ${advice}`);
}

/**
 * Reads entries, refuses those that would lose data in the chosen form, and measures their size when they travel, all
 * in one pass over each text.
 */
export class EntryDecoder {
  readonly #isObject: boolean;
  readonly #encoding: 'utf8' | 'base64';
  readonly #travel: Travel;
  #bytes = 0;
  /** The names of the previous entry: most entries have the same names in the same places. */
  readonly #names: Name[] = [];
  #named = 0;

  constructor({ format = 'object', encoding = 'utf8' }: EntryOptions, travel: Travel = 'json') {
    this.#isObject = format === 'object';
    this.#encoding = encoding;
    this.#travel = travel;
  }

  /** Whether to read replies as bytes. Reading UTF-8 as text is faster. */
  get asBytes(): boolean {
    return this.#encoding === 'base64';
  }

  /** Maximum bytes, when they travel, of the entries decoded since the last call. */
  takeBytes(): number {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }

  /** @throws {ConnectorError} like `fields` */
  entry([rawId, raw, idleMs, deliveries]: RawEntry): StreamEntry {
    const id = String(rawId);
    const entry = raw && this.fields(id, raw);
    if (!raw) this.#bytes += id.length + ENTRY_BYTES[this.#travel] + 4;
    if (idleMs === undefined) return { id, entry };
    this.#bytes += CLAIM_BYTES;
    return { id, entry, idleMs: Number(idleMs), deliveries: Number(deliveries) };
  }

  /**
   * The id and the fields of an entry, in the list of the reply: a new list for each would cost 5 % of a large read.
   *
   * @throws {ConnectorError} like `fields`
   */
  member(entry: RawEntry): [id: string, fields: Fields | Pairs] {
    const member = entry as unknown[] as [id: string, fields: Fields | Pairs];
    member[0] = String(entry[0]);
    member[1] = this.fields(member[0], entry[1]!);
    return member;
  }

  /**
   * Reads the fields of an entry.
   *
   * @throws {ConnectorError} `STREAM:COMMAND` for a repeated field or bytes that are not UTF-8, if the options cannot
   *   hold them.
   */
  fields(id: string, raw: readonly (string | Buffer)[]): Fields | Pairs {
    this.#bytes += id.length + ENTRY_BYTES[this.#travel] + (raw.length / 2) * PAIR_BYTES;
    if (!this.#isObject) return this.#pairs(id, raw);
    const fields: Fields = new Bare();
    let isOrdered = true;
    for (let at = 0; at < raw.length; at += 2) {
      const name = this.#name(id, raw, at, fields);
      fields[name.text] = this.#text(id, raw, at + 1, at);
      isOrdered &&= !name.isInteger;
    }
    return isOrdered ? fields : orderedObject(this.#pairs(id, raw));
  }

  /** A field name, which `fields` must not have yet. */
  #name(id: string, raw: readonly (string | Buffer)[], at: number, fields: Fields): Name {
    const index = at / 2;
    const known = index < this.#named ? this.#names[index] : undefined;
    if (known !== undefined && known.text === raw[at]) {
      this.#bytes += known.bytes;
      return known;
    }
    const bytesBefore = this.#bytes;
    const text = this.#text(id, raw, at, at);
    if (text in fields) throw lossOf('repeated', id, text);
    const name = { text, bytes: this.#bytes - bytesBefore, isInteger: isIntegerName(text) };
    this.#names[index] = name;
    this.#named = index + 1; // later names belong to another entry
    return name;
  }

  #pairs(id: string, raw: readonly (string | Buffer)[]): Pairs {
    const pairs: Pairs = [];
    for (let at = 0; at < raw.length; at += 2)
      pairs.push([this.#text(id, raw, at, at), this.#text(id, raw, at + 1, at)]);
    return pairs;
  }

  #text(id: string, raw: readonly (string | Buffer)[], at: number, nameAt: number): string {
    const bytes = raw[at]!;
    if (typeof bytes !== 'string' && !(bytes instanceof Buffer)) throw unknownReply();
    const text = typeof bytes === 'string' ? bytes : bytes.toString(this.#encoding);
    if (isPlain(text)) {
      this.#bytes += text.length + QUOTES[this.#travel];
      return text;
    }
    if (typeof bytes !== 'string' && !isUtf8(bytes)) throw lossOf('bytes', id, String(raw[nameAt]));
    const json = JSON.stringify(text);
    this.#bytes += Buffer.byteLength(this.#travel === 'text' ? JSON.stringify(json) : json);
    return text;
  }
}
