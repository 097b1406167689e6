import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { redrive } from '#functions/consumer/redrive/contract.ts';
import { httpRequest } from '#functions/mdm/http-request/contract.ts';
import { xadd } from '#functions/stream/xadd/contract.ts';
import { xread } from '#functions/stream/xread/contract.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { checkAccess, streamOf } from '#lib/invocation/access.ts';
import type { AccessConfig } from '#lib/config/config.schema.ts';

function faultsOf(access: AccessConfig, parameters: object, operation: object = xadd) {
  try {
    checkAccess({ operation, configRef: 'audit', parameters } as never, access);
    return [];
  } catch (error) {
    const { type, status, temporary, faults } = error as { faults: { pointer: string }[] } & Record<string, unknown>;
    return [type, status, temporary, ...faults.map(({ pointer }) => pointer)];
  }
}
const allows = (pattern: string, key: string) => faultsOf({ keys: [pattern] }, { key }).length === 0;

describe('access', () => {
  it('access names every key and path that it does not allow, and anything else it refuses', () => {
    const streamWatermarks = [{ key: 'orders:1' }, { key: 'billing' }, { key: 'audit' }];

    expect(faultsOf({ keys: ['orders:*', 'audit'] }, { streamWatermarks }, xread)).toEqual([
      'STREAM:COMMAND',
      403,
      false,
      '/streamWatermarks/1/key',
    ]);
    expect(faultsOf({ readOnly: true, operations: ['mdm-*'], keys: ['a'] }, { key: 'b' })).toHaveLength(3 + 3);
    expect(faultsOf({ keys: ['a'] }, { deadLetterStream: 'b' }, redrive)).toContain('/deadLetterStream');
  });

  it("access refuses an MDM operation with that operation's error type", () => {
    const access = { httpPaths: ['/business-entity/'] };

    expect(faultsOf(access, { path: '/metadata/api/v2/objects' }, httpRequest)).toEqual([
      'MDM:CLIENT_ERROR',
      403,
      false,
      '/path',
    ]);
    expect(faultsOf(access, { path: '/business-entity/public' }, httpRequest)).toEqual([]);
    expect(faultsOf(access, { path: '/business-entityx' }, httpRequest)).not.toEqual([]);
  });

  it('access treats a star as any text, and everything else literally', () => {
    expect(allows('orders:*', 'orders:')).toBe(true);
    expect(allows('*:eu', 'orders:eu')).toBe(true);
    expect(allows('a*b*c', 'a-b-b-c')).toBe(true);
    expect(allows('a*b*c', 'a-c')).toBe(false);
    expect(allows('ab*ba', 'aba')).toBe(false);
    expect(allows('*ab*ab*', 'ab')).toBe(false);
    expect(allows('orders', 'orders:1')).toBe(false);
    expect(allows('o.ders', 'orders')).toBe(false);
    expect(allows('*', '')).toBe(true);
    expect(allows('line*', 'line\nbreak')).toBe(true);
  });

  it('access matches as the equivalent regular expression does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });

    fc.assert(
      fc.property(text, text, (pattern, key) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's');
        expect(allows(pattern, key.replaceAll('*', 'c'))).toBe(expression.test(key.replaceAll('*', 'c')));
      }),
    );
  });

  it.each(['orders', 'orders:0', '{orders}', '{orders}:0', '{eu}orders', 'orders{1}', 'a}b', 'with\nline'])(
    'access allows the dead letters of %j if it allows the stream',
    (stream) => {
      const letters = deadLetterStreamOf(stream, 'billing:eu');

      expect(streamOf(letters)).toBe(stream);
      expect(allows(stream, letters)).toBe(true);
      expect(allows('other', letters)).toBe(false);
    },
  );
});
