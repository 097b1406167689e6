import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { renderMdmPages } from '../../../scripts/generate/document/mdm-pages.ts';
import { startMdmFixture, type MdmFixture } from '../../support/mdm/mdm-fixture.ts';

let fixture: MdmFixture;
beforeAll(async () => (fixture = await startMdmFixture()));
afterAll(() => fixture.stop());

it('docs/mdm/ shows what the operations respond (else: npm run document)', async () => {
  const pages = await renderMdmPages((route, body) => fixture.lambda.post(route, body));

  for (const [path, page] of pages) {
    const wanted = await format(page, { ...(await resolveConfig(path)), filepath: path });
    expect([path, await readFile(path, 'utf8')]).toEqual([path, wanted]);
  }
});
