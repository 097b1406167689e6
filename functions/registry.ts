import type { Operation } from '../lib/operation/contract.ts';

/** Every operation that exists. Imports contracts and nothing else, so reading it starts nothing. */
export const registry: readonly Operation[] = [];
