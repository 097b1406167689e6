import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { renderMdmPages } from '../../../scripts/document/mdm-pages.ts';
import { setMdmStage, type MdmStage } from '../../support/mdm-stage.ts';

let stage: MdmStage;
beforeAll(async () => (stage = await setMdmStage()));
afterAll(() => stage.stop());

it('docs/mdm/ shows what the operations answer (else: npm run document)', async () => {
  const pages = await renderMdmPages((route, body) => stage.lambda.post(route, body));

  for (const [path, page] of pages) {
    const wanted = await format(page, { ...(await resolveConfig(path)), filepath: path });
    expect([path, await readFile(path, 'utf8')]).toEqual([path, wanted]);
  }
});
