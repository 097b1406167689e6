import type { Plugin } from 'esbuild';
import { standIns } from './stand-ins.ts';

/*
 * Of node-fetch we use the exchange: a body of text or bytes, and no redirects. Forms, blobs and `data:` URLs bring
 * packages that load the web's streams and worker threads, a twentieth of a cold start.
 */

const STAND_INS = {
  'fetch-blob/index.js': 'export class Blob {} export default Blob;',
  'fetch-blob/from.js': `
    export { Blob } from './index.js';
    export const File = undefined, fileFromSync = undefined, fileFrom = undefined, blobFromSync = undefined, blobFrom = undefined;`,
  'formdata-polyfill/esm.min.js': 'export class FormData {} export const formDataToBlob = undefined;',
  'data-uri-to-buffer/dist/index.js': 'export default undefined;',
};

/** Leaves out what node-fetch has for other calls than ours. */
export function trimFetch(): Plugin {
  return standIns('trim-fetch', /^node-fetch\/src\/index\.js$/, STAND_INS);
}
