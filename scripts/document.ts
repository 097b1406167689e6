import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readArguments } from './arguments.ts';
import { renderMdmPages } from './generate/document/mdm-pages.ts';
import { renderStreamPage } from './generate/document/stream-page.ts';
import { formatted } from './generate/format.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { ensureLocalBundles } from './build/bundles.ts';

/* npm run document: calls the packaged functions, and writes the pages in docs/ that show their responses. */

readArguments({
  command: 'npm run document',
  about: 'Calls the packaged functions, and writes the pages in docs/ that show their responses.',
  examples: ['npm run document'],
});
ensureLocalBundles();

const [mdm, redis] = await Promise.all([startSandboxMdm(), startRedisServer()]);
const secrets = await startSecretsManager({ 'test/default': { mdm: mdm.secret, redis: { url: redis.url } } });
const lambda = await startLambda({
  env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
});
try {
  const post = (route: string, body: object) => lambda.post(route, body);
  const pages = await renderMdmPages(post);
  pages.set('docs/stream-commands.md', await renderStreamPage(post));
  for (const [path, page] of pages) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await formatted(path, page));
  }
  console.log(`Wrote ${[...pages.keys()].join(', ')}`);
} finally {
  await Promise.all([lambda.stop(), redis.stop(), secrets.close(), mdm.close()]);
}
