/** How TypeScript writes an import of a CommonJS module. */
const IMPORT = /^ *const (\w+) = (?:__import(?:Default|Star)\()?require\(("[^"]+")\)\)?;$/gm;
const EXPORT = /\bexports\.(\w+) = /g;

/**
 * A CommonJS module as TypeScript compiles it, as an ES module. The bundler puts each CommonJS module into a function: V8
 * reads it twice, once to find its end and once to run it. Gives a module that is written otherwise as it is.
 *
 * @example
 * toEsModule('const a_1 = require("./a");\nexports.b = a_1.c;'); // import * as a_1 from "./a"; … export { $b as b };
 */
export function toEsModule(source: string): string {
  if (/^\s*export /m.test(source)) return source;
  const body = source.replace(IMPORT, 'import * as $1 from $2;');
  if (/\brequire\(|\bmodule\.exports\b/.test(body)) return source;
  const names = [...new Set([...body.matchAll(EXPORT)].map(([, name]) => name!))];
  return [
    'const exports = {};',
    body,
    `const { ${names.map((name) => `${name}: $${name}`).join(', ')} } = exports;`,
    `export { ${names.map((name) => `$${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}
