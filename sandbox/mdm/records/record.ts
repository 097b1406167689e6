type Fields = Record<string, unknown>;

/** A cross reference: what one source system said of one thing. */
export interface SourceRecord {
  readonly entity: string;
  readonly sourceSystem: string;
  readonly sourcePKey: string;
  businessId: string;
  /** Each field with the moment, a counter, when it was last submitted. */
  readonly fields: Map<string, { value: unknown; at: number }>;
  readonly creationDate: number;
  updatedAt: number;
  /** Equal for source records of one thing. */
  match: string;
  /** Whether it was merged or unmerged by hand, so that matching leaves it under its golden record. */
  isGrouped: boolean;
}

/** A golden record: its sources blended, the latest value of each field surviving. */
export interface GoldenRecord {
  readonly businessId: string;
  readonly entity: string;
  readonly sources: Set<SourceRecord>;
  readonly creationDate: number;
  state: string;
  /** Whether searches leave it out of their pages though they count it: the user may not read it. */
  hidden: boolean;
  blended?: Fields;
}
