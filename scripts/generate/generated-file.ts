/** First line of a generated file. */
export const GENERATED = 'Generated from the contracts by npm run generate. Do not edit.';

/** A generated file: its path and its contents. */
export interface GeneratedFile {
  readonly path: string;
  readonly contents: string;
  /** Whether most of it is written by hand, so that oxfmt leaves it alone. */
  readonly isByHand?: boolean;
}
