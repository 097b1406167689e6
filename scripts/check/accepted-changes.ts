/** Changes that seem to break callers of the last release, each with the reason why they do not. */
export const ACCEPTED_CHANGES: Readonly<Record<string, string>> = {};
