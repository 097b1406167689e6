import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { showCall } from '#scripts/generate/document/call.ts';

it("a page shows a response's numbers exactly, even beyond 2^53", () => {
  const response = { status: 200, headers: {}, text: '{"payload":{"id":714189942313869312}}' };

  expect(showCall('/mdm/job-read', { id: '1' }, response, (text) => text)).toContain('"id": 714189942313869312\n');
});

it("an MDM page lists a parameter's members, including those in lists", () => {
  const page = readFileSync('docs/mdm/search.md', 'utf8');

  expect(page).toMatch(/^\| `filters\.filter\[\]\.comparator` +\| EQUALS, .*IS_NOT_MISSING +\| required +\|/m);
  expect(page).toMatch(/^\| `filters\.operator` +\| AND, OR +\| `"AND"` +\|/m);
});
