/** Changes that seem to break callers of the last release, each with the reason why they do not. */
export const ACCEPTED_CHANGES: Readonly<Record<string, string>> = {
  'POST /stream/xrange: 200/* may be array now': 'only with format pairs',
  'POST /stream/xread: 200/*/*/entry may be array now': 'only with format pairs',
  'POST /stream/xreadgroup: 200/*/*/entry may be array now': 'only with format pairs',
};
