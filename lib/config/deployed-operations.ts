/** Patterns of the operations that are deployed, by `CONNECTOR_OPERATIONS` (default `*`); `*` stands for any text. */
export const deployedOperations = (env: Record<string, string | undefined> = process.env): string[] =>
  (env.CONNECTOR_OPERATIONS || '*').split(',');
