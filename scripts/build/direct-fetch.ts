import type { Plugin } from 'esbuild';
import { editModules } from './edit-modules.ts';

/*
 * node-fetch serves every call that fetch can be asked for: it hands a response's body on through a second stream, for what
 * it may have to decompress; it makes a stream of a request's body, and a pipeline to the socket; it copies headers that
 * somebody else may hold; it looks at each packet for the last chunk of a body, which Node's own client does, too; and it
 * writes the URL that it has read, for Node to read it again and for the response to hold it.
 * We send bytes, decompress by ourselves (lib/mdm/exchange/transport.ts) and make headers for one call.
 * test/integration/mdm/exchange/transport.test.ts holds what ships to the same as the sources.
 */

/** Node writes a body with the headers, in one piece, where it is text; beyond 16 kB in all, that takes more memory. */
const TEXT_BYTES = 12 * 1024;

const EDITS = [
  {
    module: 'node-fetch/src/index.js',
    passage:
      /let body = pump\(response_, new PassThrough\(\), error => \{\s*if \(error\) \{\s*reject\(error\);\s*\}\s*\}\);/,
    replacement: 'let body = response_;',
    does: 'copy the body of a response',
  },
  {
    module: 'node-fetch/src/body.js',
    passage: /stream = Stream\.Readable\.from\(body\);/,
    replacement: 'stream = body;',
    does: 'make a stream of bytes',
  },
  {
    module: 'node-fetch/src/body.js',
    passage: /await pipeline\(body, dest\);/,
    replacement: `dest.end(body.length < ${TEXT_BYTES} ? body.toString('latin1') : body, 'latin1');`,
    does: 'send the body of a request',
  },
  {
    module: 'node-fetch/src/request.js',
    passage: /new Headers\(request\[INTERNALS\]\.headers\)/,
    replacement: 'request[INTERNALS].headers',
    does: 'copy the headers of a request',
  },
  {
    module: 'node-fetch/src/response.js',
    passage: /new Headers\(options\.headers\)/,
    replacement: 'options.headers',
    does: 'copy the headers of a response',
  },
  {
    module: 'node-fetch/src/index.js',
    passage: /fixResponseChunkedTransferBadEnding\(request_, error => \{[^}]*\}\s*\}\);/,
    replacement: '',
    does: 'watch for the last chunk',
  },
  {
    module: 'node-fetch/src/index.js',
    passage: /send\(parsedURL\.toString\(\), options\)/,
    replacement: `send({
      protocol: parsedURL.protocol,
      hostname: parsedURL.hostname.replace(/^\\[|\\]$/g, ''),
      port: parsedURL.port,
      ...options,
    })`,
    does: 'read a URL twice',
  },
  {
    module: 'node-fetch/src/index.js',
    passage: /url: request\.url,\s*status:/,
    replacement: 'status:',
    does: 'write the URL of a response',
  },
];

/** Takes out of node-fetch the copies of bodies, headers and URLs, and the watch for the last chunk. */
export function directFetch(): Plugin {
  return editModules('direct-fetch', 'node-fetch 3.3.2', EDITS);
}
