/** Values of this length are masked anywhere; shorter ones only as whole words, so that a key `1` keeps `HTTP 401`. */
const LONG_ENOUGH_ANYWHERE = 8;
/** Of longer values, pieces of about this length are masked too: a service may repeat the beginning of a text. */
const PIECE = 32;
const WINDOW = 8;
const STRIDE = PIECE - WINDOW;
/** Maximum pieces to look for around one place. If a value repeats itself, its longest piece is among the first. */
const MAX_PIECES = 8;
const GRAM = 3;
/** Maximum comparisons for one text. If a record needs more, some of its values may remain. */
const MAX_STEPS = 50_000;
const { imul } = Math;
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{Cs}]/u;
/** A number of a record, with three characters or more. */
const NUMBER = /\d[\d.]+\d/g;

/** Places in a text, by the hash of what begins there. */
type Positions = ReadonlyMap<number, readonly number[]>;

/** A short text that finds and masks many secrets quickly. */
export class MaskedText {
  readonly #text: string;
  readonly #folded: string;
  /** Positions of each run of 3, and of 8, characters, by hash. */
  readonly #grams: Positions;
  readonly #windows: Positions;
  readonly #numbers = new Map<number, [start: number, end: number][]>();
  /** Values that were looked up already: records repeat values. */
  readonly #tried = new Set<string>();
  /** Number of pieces found around each place: a value may repeat itself. */
  readonly #pieces: Uint8Array;
  readonly #spans: [start: number, end: number][] = [];
  readonly #shortest: number;
  #steps = MAX_STEPS;

  /** @param shortest shorter values are not masked */
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
    this.#grams = indexOf(this.#folded, GRAM);
    this.#windows = indexOf(this.#folded, WINDOW);
  }

  /** Whether the search took too long, so that some secrets may remain. */
  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  /** Masks a key or a session of any length. */
  maskKey(key: string): void {
    if (key.length >= GRAM) this.maskValue(key);
    else if (key !== '' && key.length >= this.#shortest)
      this.#maskAt(
        fold(key),
        Array.from({ length: this.#text.length }, (_, at) => at),
      );
  }

  /** Masks a text of a record, or pieces of it. Texts below three characters are codes, and not sensitive. */
  maskValue(value: string): void {
    const { length } = value;
    if (length < GRAM || length < this.#shortest) return;
    if (length <= this.#text.length) this.#maskWhole(value);
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

  #maskWhole(value: string): void {
    const last = value.length - GRAM;
    const positions = this.#grams.get(hash(value, 0, GRAM));
    if (!positions || !this.#grams.has(hash(value, last, GRAM)) || !this.#grams.has(hash(value, last >> 1, GRAM)))
      return;
    if (this.#tried.has(value)) return;
    this.#tried.add(value);
    this.#maskAt(fold(value), positions);
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

  /** Looks up every 24th window of a long value; a piece extends it at one end at least. */
  #maskPieces(value: string): void {
    for (let at = 0; at + WINDOW <= value.length; at += STRIDE) {
      const positions = this.#windows.get(hash(value, at, WINDOW));
      if (!positions) continue;
      const hasNeighbour = [at + WINDOW, at - WINDOW].some((next) => this.#windows.has(hash(value, next, WINDOW)));
      if (hasNeighbour) for (const found of positions) this.#maskCommon(value, at, found);
    }
  }

  /** Masks the common text around these places if it is long enough for a piece. */
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

  /** Whether it is a whole word: no letter or digit adjoins it. */
  #isEdge(at: number): boolean {
    return !isLetterOrDigit(this.#folded, at - 1) || !isLetterOrDigit(this.#folded, at);
  }
}

const isLetterOrDigit = (text: string, at: number) => at >= 0 && at < text.length && LETTER_OR_DIGIT.test(text[at]!);

/** A character for comparison: in one case (for ASCII and Latin-1), and a plus as a space. */
const folded = (code: number) => (code === 0x2b ? 0x20 : code | 0x20);

function hash(text: string, start: number, length: number): number {
  let hashed = length;
  for (let at = start; at < start + length; at++) hashed = (imul(hashed, 31) + folded(text.charCodeAt(at))) | 0;
  return hashed ^ (hashed >>> 15);
}

function fold(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replaceAll('+', ' ');
}

/** The positions of each run of this many characters, by its hash. */
function indexOf(text: string, length: number): Positions {
  const starts = Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => at);
  return Map.groupBy(starts, (at) => hash(text, at, length));
}
