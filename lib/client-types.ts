// Generated from the contracts by npm run generate. Do not edit.

/**
 * Input and output of every operation, by its name.
 */
export interface Operations {}
