/** The subjects of operations, in the order of the documents. */
export const GROUPS = {
  records:
    'Golden records and their source records, relationships and jobs, and any other path of the master data API.',
  metadata: "Your tenant's business entities, source systems, code lists and data model.",
  streams: "Commands on Redis Streams, by Redis' own names.",
  consumer: 'Carry stream entries to the master data API; watch, pause and repair that.',
} as const;

/** A group of operations. */
export type OperationGroup = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as OperationGroup[];

/** Sorts operations by group. Within a group they keep their order. */
export const byGroup = <T extends { group: OperationGroup }>(operations: readonly T[]): T[] =>
  GROUP_NAMES.flatMap((name) => operations.filter(({ group }) => group === name));
