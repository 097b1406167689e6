/** What a generated file says of itself in its first line. */
export const GENERATED = 'Generated from the contracts by npm run generate. Do not edit.';

/** A generated file: where it lies and what it should hold. */
export interface GeneratedFile {
  readonly path: string;
  readonly contents: string;
}
