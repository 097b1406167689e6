import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { setMdmStage } from '../test/support/mdm-stage.ts';
import { renderMdmPages } from './document/mdm-pages.ts';
import { renderStreamPage } from './document/stream-page.ts';

/* npm run document: makes the pages in docs/ that show true answers, by calling the packaged functions. */

const stage = await setMdmStage();
try {
  const post = (route: string, body: object) => stage.lambda.post(route, body);
  const pages = await renderMdmPages(post);
  pages.set('docs/stream-commands.md', await renderStreamPage(post));
  for (const [path, page] of pages) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await format(page, { ...(await resolveConfig(path)), filepath: path }));
  }
  console.log(`Wrote ${[...pages.keys()].join(', ')}`);
} finally {
  await stage.stop();
}
