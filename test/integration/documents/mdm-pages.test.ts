import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { renderMdmPages } from '#scripts/generate/document/mdm-pages.ts';
import { formatted } from '#scripts/generate/format.ts';
import { startMdmFixture } from '../../support/mdm/mdm-fixture.ts';
import { use } from '../../support/jest/use.ts';

const fixture = await use(startMdmFixture());

it('docs/mdm/ shows what the operations respond (else: npm run document)', async () => {
  const pages = await renderMdmPages((route, body) => fixture.lambda.post(route, body));

  for (const [path, page] of pages) {
    expect([path, await readFile(path, 'utf8')]).toEqual([path, await formatted(path, page)]);
  }
});
