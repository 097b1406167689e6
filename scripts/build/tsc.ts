import { join } from 'node:path';
import { ROOT } from './root.ts';

/**
 * The compiler of TypeScript 7, a program for Node. The package `typescript` is version 6, whose API other tools need,
 * and both would be `tsc` on the PATH.
 */
export const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
