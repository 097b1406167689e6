import { describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { toEsModule } from '../../../../scripts/build/to-es-module.ts';

/** What a CommonJS module exports, and what it does as an ES module, whose imports are all of `node:path`. */
async function exported(source: string): Promise<unknown> {
  const { code } = await transform(toEsModule(source), { format: 'esm', loader: 'js' });
  return { ...((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as object) };
}

describe('a CommonJS module of TypeScript as an ES module', () => {
  it('imports and exports the same', async () => {
    const source = [
      '"use strict";',
      'Object.defineProperty(exports, "__esModule", { value: true });',
      'exports.twice = exports.SEPARATOR = void 0;',
      'const node_path_1 = require("node:path");',
      'const path_1 = __importDefault(require("node:path"));',
      'exports.SEPARATOR = node_path_1.posix.sep;',
      'function twice(text) { return text + exports.SEPARATOR + path_1.default.posix.basename(text); }',
      'exports.twice = twice;',
      'exports.default = class Shape {};',
    ].join('\n');

    const { twice, SEPARATOR, default: Shape } = (await exported(source)) as Record<string, (text: string) => string>;

    expect(SEPARATOR).toBe('/');
    expect(twice!('a')).toBe('a/a');
    expect(Shape!.name).toBe('Shape');
  });

  it.each([
    'exports.read = () => require("node:fs");',
    'module.exports = class {};',
    'var lazy; exports.a = (lazy ??= require("./a")).b;',
    'export const a = 1;',
  ])('stays as it is where it is written otherwise: %s', (source) => {
    expect(toEsModule(source)).toBe(source);
  });
});
