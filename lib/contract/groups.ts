/** What operations are about: in this order documents show them. */
export const GROUPS = {
  records: 'Golden records and their source records, relationships, jobs, and any other path of the master data API.',
  metadata: "The tenant's business entities, source systems, code lists and data model.",
  streams: 'Commands on Redis Streams, by the names that Redis gives them.',
  consumer: 'Carries stream entries into the master data API: how it runs, what it does, and what it gave up.',
} as const;

/** A group of operations. */
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** Operations in the order of their groups, and as they come within a group. */
export const byGroup = <T extends { group: Group }>(operations: readonly T[]): T[] =>
  GROUP_NAMES.flatMap((name) => operations.filter(({ group }) => group === name));
