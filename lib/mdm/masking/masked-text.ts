/** Values this long are masked wherever they stand, shorter ones as whole words: a key `1` leaves `HTTP 401` alone. */
const LONG_ENOUGH_ANYWHERE = 8;
/** Of longer values, pieces of about this length are masked, too: a service may repeat the beginning of a text. */
const PIECE = 32;
const WINDOW = 8;
const STRIDE = PIECE - WINDOW;
/** Pieces around the same place that are looked for: the longest of a value that repeats itself is among the first. */
const MAX_PIECES = 8;
const GRAM = 3;
/** Comparisons that one text is worth; where a record is made to cost more, some of its values may be left. */
const MAX_STEPS = 50_000;
const { imul } = Math;
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{Cs}]/u;
/** A number as a record may hold it, three characters or longer. */
const NUMBER = /\d[\d.]+\d/g;

/** A short text in which secrets are found quickly, however many there are, and masked. */
export class MaskedText {
  readonly #text: string;
  readonly #folded: string;
  /** Where each run of 3, and of 8, characters stands, by its hash. */
  readonly #grams = new Map<number, number[]>();
  readonly #windows = new Map<number, number[]>();
  /** Most values are not in the text: one bit of this says so. */
  readonly #filter = new Uint8Array(8192);
  /** The same for the first two characters of a value, checked before anything else. */
  readonly #pairs = new Uint8Array(4096);
  readonly #numbers = new Map<number, [start: number, end: number][]>();
  /** Records repeat values: those that were looked up once. */
  readonly #tried = new Set<string>();
  /** How many pieces were found around each place: a value may repeat itself. */
  readonly #pieces: Uint8Array;
  readonly #spans: [start: number, end: number][] = [];
  readonly #shortest: number;
  #steps = MAX_STEPS;

  /** @param shortest values shorter than this are left alone */
  constructor(text: string, shortest: number) {
    this.#text = text;
    this.#shortest = shortest;
    this.#folded = fold(text);
    this.#pieces = new Uint8Array(text.length);
    for (const { 0: digits, index } of text.matchAll(NUMBER)) {
      if (digits.length < shortest) continue;
      const value = Number(digits);
      this.#numbers.set(value, [...(this.#numbers.get(value) ?? []), [index, index + digits.length]]);
    }
    const { length } = text;
    for (let at = 0; at + GRAM <= length; at++) this.#index(this.#grams, hash(this.#folded, at, GRAM), at);
    for (let at = 0; at + 2 <= length; at++) this.#pairs[pairOf(this.#folded, at)] = 1;
    for (let at = 0; at + WINDOW <= length; at++) this.#index(this.#windows, hash(this.#folded, at, WINDOW), at);
  }

  /** Whether looking for the secrets so far took too long, so that some may be left. */
  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  /** Masks a key or a session, whatever its length. */
  maskKey(key: string): void {
    if (key.length >= GRAM) this.maskValue(key);
    else if (key !== '' && key.length >= this.#shortest)
      this.#maskAt(
        fold(key),
        Array.from({ length: this.#text.length }, (_, at) => at),
      );
  }

  /** Masks a text of a record, or pieces of it; shorter ones than three characters are codes, not sensitive. */
  maskValue(value: string): void {
    const { length } = value;
    if (length < GRAM || length < this.#shortest) return;
    if (this.#pairs[pairOf(value, 0)] === 1 && length <= this.#text.length) this.#maskWhole(value);
    if (length > PIECE) this.#maskPieces(value);
  }

  maskNumber(value: number): void {
    const spans = this.#numbers.get(value < 0 ? -value : value);
    if (spans) this.#spans.push(...spans.splice(0));
  }

  toString(): string {
    let masked = '';
    let end = 0;
    for (const [start, spanEnd] of this.#spans.sort(([a], [b]) => a - b)) {
      if (spanEnd <= end) continue;
      if (start >= end) masked += `${this.#text.slice(end, start)}…`;
      end = spanEnd;
    }
    return masked + this.#text.slice(end);
  }

  #index(map: Map<number, number[]>, hashed: number, at: number): void {
    const known = map.get(hashed);
    if (known) known.push(at);
    else map.set(hashed, [at]);
    this.#filter[(hashed & 0xffff) >> 3]! |= 1 << (hashed & 7);
  }

  /** Whether the text may have these characters; false is certain. */
  #has(value: string, at: number, length: number): boolean {
    if (at < 0 || at + length > value.length) return false;
    const hashed = hash(value, at, length);
    return (this.#filter[(hashed & 0xffff) >> 3]! & (1 << (hashed & 7))) !== 0;
  }

  #maskWhole(value: string): void {
    const last = value.length - GRAM;
    if (!this.#has(value, 0, GRAM) || !this.#has(value, last, GRAM) || !this.#has(value, last >> 1, GRAM)) return;
    if (this.#tried.has(value)) return;
    this.#tried.add(value);
    this.#maskAt(fold(value), this.#grams.get(hash(value, 0, GRAM)) ?? []);
  }

  #maskAt(wanted: string, positions: readonly number[]): void {
    for (const at of positions) {
      this.#steps--;
      if (!this.#folded.startsWith(wanted, at)) continue;
      const end = at + wanted.length;
      const isMasked = wanted.length >= LONG_ENOUGH_ANYWHERE || (this.#isEdge(at) && this.#isEdge(end));
      if (isMasked) this.#spans.push([at, end]);
    }
  }

  /** Looks up every 24th window of a long value; a piece goes on at one end of it at least. */
  #maskPieces(value: string): void {
    for (let at = 0; at + WINDOW <= value.length; at += STRIDE) {
      if (!this.#has(value, at, WINDOW)) continue;
      if (!this.#has(value, at + WINDOW, WINDOW) && !this.#has(value, at - WINDOW, WINDOW)) continue;
      for (const found of this.#windows.get(hash(value, at, WINDOW)) ?? []) this.#maskCommon(value, at, found);
    }
  }

  /** Masks what a value and the text have in common around these places, if that is a piece. */
  #maskCommon(value: string, at: number, found: number): void {
    if (this.#pieces[found]! >= MAX_PIECES) return;
    const shift = at - found;
    const isSame = (place: number) =>
      folded(this.#folded.charCodeAt(place)) === folded(value.charCodeAt(place + shift));
    let start = found;
    let end = found;
    while (end < this.#folded.length && end + shift < value.length && isSame(end)) end++;
    while (start > 0 && start + shift > 0 && isSame(start - 1)) start--;
    this.#steps -= 1 + ((end - start) >> 4);
    if (end - start < PIECE) return;
    this.#spans.push([start, end]);
    this.#pieces[found]!++;
  }

  /** Whether no letter or digit stands on both sides. */
  #isEdge(at: number): boolean {
    return !isLetterOrDigit(this.#folded, at - 1) || !isLetterOrDigit(this.#folded, at);
  }
}

const isLetterOrDigit = (text: string, at: number) => at >= 0 && at < text.length && LETTER_OR_DIGIT.test(text[at]!);

/** A character as it is compared: without its case (of ASCII and Latin-1), and a plus as the space it may stand for. */
const folded = (code: number) => (code === 0x2b ? 0x20 : code | 0x20);

const pairOf = (text: string, at: number) =>
  (folded(text.charCodeAt(at)) * 61 + folded(text.charCodeAt(at + 1))) & 4095;

function hash(text: string, start: number, length: number): number {
  let hashed = length;
  for (let at = start; at < start + length; at++) hashed = (imul(hashed, 31) + folded(text.charCodeAt(at))) | 0;
  return hashed ^ (hashed >>> 15);
}

function fold(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replaceAll('+', ' ');
}
