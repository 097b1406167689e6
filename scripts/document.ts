import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { setStage } from '../test/support/stream-stage.ts';
import { renderStreamPage } from './document/stream-page.ts';

/* npm run document: makes the pages in docs/ that show true answers, by calling the packaged functions. */

const path = 'docs/stream-commands.md';
const stage = await setStage({ ownRedis: true });
try {
  const page = await renderStreamPage((route, body) => stage.lambda.post(route, body));
  await writeFile(path, await format(page, { ...(await resolveConfig(path)), filepath: path }));
  console.log(`Wrote ${path}`);
} finally {
  await stage.stop();
}
