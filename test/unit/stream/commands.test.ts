import { describe, expect, it } from '@jest/globals';
import type { Command } from '#lib/redis/redis.ts';
import { xackCommand } from '#lib/stream/commands/xack.ts';
import { xaddCommand } from '#lib/stream/commands/xadd.ts';
import { xdelCommand } from '#lib/stream/commands/xdel.ts';
import { xgroupCreateCommand } from '#lib/stream/commands/xgroup-create.ts';
import { xgroupDestroyCommand } from '#lib/stream/commands/xgroup-destroy.ts';
import { xinfoGroupsCommand } from '#lib/stream/commands/xinfo-groups.ts';
import { xtrimCommand } from '#lib/stream/commands/xtrim.ts';

const WORDS: [Command<unknown>, string][] = [
  [xaddCommand({ key: 's', entry: { a: '1', b: '2' } }), 'XADD s * a 1 b 2'],
  [xaddCommand({ key: 's', id: '5', noMkStream: true, entry: { a: '1' } }), 'XADD s NOMKSTREAM 5 a 1'],
  [xaddCommand({ key: 's', evictionOption: { maxLength: 0 }, entry: { a: '1' } }), 'XADD s MAXLEN = 0 * a 1'],
  [
    xaddCommand({ key: 's', evictionOption: { id: '5', exactTrimming: false, limit: 0 }, entry: { a: '1' } }),
    'XADD s MINID ~ 5 LIMIT 0 * a 1',
  ],
  [xackCommand('s', 'g', ['1', '2-0']), 'XACK s g 1 2-0'],
  [xdelCommand('s', ['1', '2-0']), 'XDEL s 1 2-0'],
  [xtrimCommand('s', { maxLength: '9223372036854775807' }), 'XTRIM s MAXLEN = 9223372036854775807'],
  [xtrimCommand('s', { maxLength: 1, exactTrimming: false, limit: 10 }), 'XTRIM s MAXLEN ~ 1 LIMIT 10'],
  [xgroupCreateCommand({ key: 's', group: 'g', mkstream: false }), 'XGROUP CREATE s g $'],
  [
    xgroupCreateCommand({ key: 's', group: 'g', lastEntryId: '0', mkstream: true, entriesRead: 0 }),
    'XGROUP CREATE s g 0 MKSTREAM ENTRIESREAD 0',
  ],
  [xgroupDestroyCommand('s', 'g'), 'XGROUP DESTROY s g'],
  [xinfoGroupsCommand('s'), 'XINFO GROUPS s'],
];

describe('a stream command', () => {
  it.each(WORDS.map(([command, words]) => [words, command] as const))(
    'a stream command is sent as %s',
    (words, command) => {
      expect(command.args.join(' ')).toBe(words);
      expect(command.key).toBe('s');
    },
  );

  it('a stream command keeps names that JavaScript objects treat specially', () => {
    const entry = JSON.parse('{"__proto__":"1","constructor":"2","":"3"}') as Record<string, string>;

    expect(xaddCommand({ key: 's', entry }).args.slice(3)).toEqual(['__proto__', '1', 'constructor', '2', '', '3']);
  });
});

describe('a reply', () => {
  it('a reply of XINFO GROUPS keeps 64-bit numbers, nil and fields of newer versions', () => {
    const text = (value: string) => Buffer.from(value);
    const reply = [
      [
        text('name'),
        text('5'),
        text('consumers'),
        '1',
        text('entries-read'),
        '9007199254740993',
        text('lag'),
        null,
        text('new'),
        '7',
      ],
    ];

    expect(JSON.stringify(xinfoGroupsCommand('s').decode(reply))).toBe(
      '[{"name":"5","consumers":1,"entries-read":9007199254740993,"lag":null,"new":7}]',
    );
  });

  it.each([
    ['1', true],
    ['0', false],
  ])('a reply of XGROUP DESTROY %s becomes %s', (reply, destroyed) => {
    expect(xgroupDestroyCommand('s', 'g').decode(reply)).toBe(destroyed);
  });
});
