import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { renderStreamPage } from '../../../scripts/generate/document/stream-page.ts';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

const PATH = 'docs/stream-commands.md';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture({ ownRedis: true })));
afterAll(() => fixture.stop());

it('docs/stream-commands.md shows what the commands respond (else: npm run document)', async () => {
  const page = await renderStreamPage((route, body) => fixture.lambda.post(route, body));

  const wanted = await format(page, { ...(await resolveConfig(PATH)), filepath: PATH });
  expect(await readFile(PATH, 'utf8')).toBe(wanted);
});
