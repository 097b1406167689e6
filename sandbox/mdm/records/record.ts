type Fields = Record<string, unknown>;

/** A cross reference: one source system's record of a thing. */
export interface SourceRecord {
  readonly entity: string;
  readonly sourceSystem: string;
  readonly sourcePKey: string;
  businessId: string;
  /** Each field with when the source changed it last, and a counter of its last submission. */
  readonly fields: Map<string, { value: unknown; changedAt: number; at: number }>;
  readonly creationDate: number;
  updatedAt: number;
  /** When the source changed it last. */
  changedAt: number;
  /** Equal for source records of one thing. */
  match: string;
  /** Whether it was merged or unmerged manually; matching then does not move it. */
  isGrouped: boolean;
}

/** A golden record: for each field, the value that a source changed last. */
export interface GoldenRecord {
  readonly businessId: string;
  readonly entity: string;
  readonly sources: Set<SourceRecord>;
  readonly creationDate: number;
  state: string;
  /** Whether searches count it but do not return it, because the user may not read it. */
  hidden: boolean;
  blended?: Fields;
}
