import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/* The API documents a full mode, and nobody has tried it: no page promises what becomes of an omitted field. */

const PAGES = [
  'docs/client.md',
  'docs/types.md',
  'docs/mdm/master-update.md',
  'docs/mdm/relationship-update.md',
  'docs/mdm/source-enqueue.md',
  'docs/mdm/source-enqueue-batch.md',
  'docs/mdm/source-replace.md',
  'docs/mdm/source-submit.md',
  'docs/mdm/source-submit-batch.md',
];

describe('what becomes of an omitted field', () => {
  it.each(PAGES)('what becomes of an omitted field depends on the tenant by %s', (page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');

    expect(text).toMatch(/depends on the tenant/);
    expect(text).not.toMatch(/update may omit/);
  });
});
