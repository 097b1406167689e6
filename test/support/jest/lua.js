import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { luaModule } from '../../../scripts/build/lua-module.ts';

/** Jest passes the text without its shebang. */
const moduleOf = (path) => luaModule(path, readFileSync(path, 'utf8'));

/** Jest transform: a Lua script to the module that the build makes of it. */
export default {
  process: (_, path) => ({ code: moduleOf(path) }),
  getCacheKey: (_, path) => createHash('sha256').update(moduleOf(path)).digest('hex'),
};
