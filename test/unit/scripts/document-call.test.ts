import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { showCall } from '#scripts/generate/document/call.ts';

it('a page shows a response with its numbers as they came, beyond 2^53 too', () => {
  const response = { status: 200, headers: {}, text: '{"payload":{"id":714189942313869312}}' };

  expect(showCall('/mdm/job-read', { id: '1' }, response, (text) => text)).toContain('"id": 714189942313869312\n');
});

it('a page of master data lists the members of a parameter, those in lists too', () => {
  const page = readFileSync('docs/mdm/search.md', 'utf8');

  expect(page).toMatch(/^\| `filters\.filter\[\]\.comparator` +\| EQUALS, .*IS_NOT_MISSING +\| required +\|/m);
  expect(page).toMatch(/^\| `filters\.operator` +\| AND, OR +\| `"AND"` +\|/m);
});
