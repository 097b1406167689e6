import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { renderMdmPages } from '#scripts/generate/document/mdm-pages.ts';
import { startMdmFixture } from '../../support/mdm/mdm-fixture.ts';
import { use } from '../../support/jest/use.ts';

const fixture = await use(startMdmFixture());

it('docs/mdm/ shows what the operations respond (else: npm run document)', async () => {
  const pages = await renderMdmPages((route, body) => fixture.lambda.post(route, body));

  for (const [path, page] of pages) {
    const wanted = await format(page, { ...(await resolveConfig(path)), filepath: path });
    expect([path, await readFile(path, 'utf8')]).toEqual([path, wanted]);
  }
});
