/** What breaks callers of the last release by its description alone, each with the reason why it does not in truth. */
export const ACCEPTED_CHANGES: Readonly<Record<string, string>> = {
  'POST /stream/xrange: 200/* may be array now': 'only with format pairs',
  'POST /stream/xread: 200/*/*/entry may be array now': 'only with format pairs',
  'POST /stream/xreadgroup: 200/*/*/entry may be array now': 'only with format pairs',
};
