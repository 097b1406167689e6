import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { luaModule } from './lua-module.ts';

/*
 * Lets Node import Lua scripts, for what runs from source: imported before them, or by `node --import`.
 */

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.lua')) return nextLoad(url, context);
    const path = fileURLToPath(url);
    return { format: 'module', source: luaModule(path, readFileSync(path, 'utf8')), shortCircuit: true };
  },
});
