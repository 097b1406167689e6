/** Changes that seem to break callers of the last release, each with the reason why they do not. */
export const ACCEPTED_CHANGES: readonly (readonly [change: RegExp, reason: string])[] = [
  [
    / has pattern \^\(\\\.\{0,2\}\[/,
    'Keys that are part of a path: the operations always refused what the pattern does.',
  ],
  [/ has pattern \^\[\\t\\x20-\\x7e\]\*\$ now$/, 'Values of headers: the same.'],
  [/ has maximum 9007199254740991 now$/, 'The operations always refused larger numbers, as no integers.'],
];
