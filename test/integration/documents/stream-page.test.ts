import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { renderStreamPage } from '#scripts/generate/document/stream-page.ts';
import { formatted } from '#scripts/generate/format.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

const PATH = 'docs/stream-commands.md';

const fixture = await use(startFixture());

it('docs/stream-commands.md shows what the commands respond (else: npm run document)', async () => {
  const page = await renderStreamPage((route, body) => fixture.lambda.post(route, body));

  expect(await readFile(PATH, 'utf8')).toBe(await formatted(PATH, page));
});
