import { stripTypeScriptTypes } from 'node:module';

/** Jest transform: TypeScript to JavaScript by blanking the types, so lines and columns stay. */
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
