import { describe, expect, it } from '@jest/globals';
import type { Command, Reply } from '../../../lib/redis/redis.ts';
import { xackCommand } from '../../../lib/stream/commands/xack.ts';
import { xaddCommand } from '../../../lib/stream/commands/xadd.ts';
import { xdelCommand } from '../../../lib/stream/commands/xdel.ts';
import { xgroupCreateCommand } from '../../../lib/stream/commands/xgroup-create.ts';
import { xgroupDestroyCommand } from '../../../lib/stream/commands/xgroup-destroy.ts';
import { xinfoGroupsCommand } from '../../../lib/stream/commands/xinfo-groups.ts';
import { xrangeCommand } from '../../../lib/stream/commands/xrange.ts';
import { xreadCommand } from '../../../lib/stream/commands/xread.ts';
import { xreadgroupCommand } from '../../../lib/stream/commands/xreadgroup.ts';
import { xtrimCommand } from '../../../lib/stream/commands/xtrim.ts';

const watermarks = [
  { key: 's', id: '0' },
  { key: 't', id: '5-1' },
];

const WORDS: [Command<unknown>, string][] = [
  [xaddCommand({ key: 's', entry: { a: '1', b: '2' } }), 'XADD s * a 1 b 2'],
  [xaddCommand({ key: 's', id: '5', noMkStream: true, entry: { a: '1' } }), 'XADD s NOMKSTREAM 5 a 1'],
  [xaddCommand({ key: 's', evictionOption: { maxLength: 0 }, entry: { a: '1' } }), 'XADD s MAXLEN = 0 * a 1'],
  [
    xaddCommand({ key: 's', evictionOption: { id: '5', exactTrimming: false, limit: 0 }, entry: { a: '1' } }),
    'XADD s MINID ~ 5 LIMIT 0 * a 1',
  ],
  [xrangeCommand({ key: 's', start: '-', end: '+' }), 'XRANGE s - +'],
  [xrangeCommand({ key: 's', start: '(1', end: '5', count: 0 }), 'XRANGE s (1 5 COUNT 0'],
  [xreadCommand({ watermarks }), 'XREAD STREAMS s t 0 5-1'],
  [xreadCommand({ watermarks, count: 0, blockMs: 1 }), 'XREAD COUNT 0 BLOCK 1 STREAMS s t 0 5-1'],
  [xreadgroupCommand({ watermarks, group: 'g', consumer: 'c' }), 'XREADGROUP GROUP g c STREAMS s t 0 5-1'],
  [
    xreadgroupCommand({ watermarks, group: 'g', consumer: 'c', count: '9', blockMs: 7, noack: true }),
    'XREADGROUP GROUP g c COUNT 9 BLOCK 7 NOACK STREAMS s t 0 5-1',
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
  it.each(WORDS.map(([command, words]) => [words, command] as const))('is sent as %s', (words, command) => {
    expect(command.args.join(' ')).toBe(words);
    expect(command.key).toBe('s');
  });

  it('says how long the server may block', () => {
    expect(xreadCommand({ watermarks, blockMs: 5 }).blockMs).toBe(5);
    expect(xreadCommand({ watermarks }).blockMs).toBeUndefined();
  });

  it('keeps names that objects treat in a way of their own', () => {
    const entry = JSON.parse('{"__proto__":"1","constructor":"2","":"3"}') as Record<string, string>;

    expect(xaddCommand({ key: 's', entry }).args.slice(3)).toEqual(['__proto__', '1', 'constructor', '2', '', '3']);
  });
});

describe('a reply', () => {
  const streams: Reply = [
    ['__proto__', [['1-0', ['10', 'x', '9', 'y']]]],
    ['7', [['2-0', null]]],
  ];

  it('of XREAD becomes entries by stream, in order', () => {
    const decoded = xreadCommand({ watermarks }).decode(streams);

    expect(JSON.stringify(decoded)).toBe(
      '{"__proto__":[{"id":"1-0","entry":{"10":"x","9":"y"}}],"7":[{"id":"2-0","entry":null}]}',
    );
  });

  it('that is nil becomes an empty object', () => {
    expect({ ...xreadCommand({ watermarks }).decode(null) }).toEqual({});
    expect({ ...xrangeCommand({ key: 's', start: '-', end: '+' }).decode(null) }).toEqual({});
  });

  it('of XINFO GROUPS keeps 64 bits, nil, and what newer versions add', () => {
    const reply = [['name', '5', 'consumers', '1', 'entries-read', '9007199254740993', 'lag', null, 'new', 'x']];

    expect(JSON.stringify(xinfoGroupsCommand('s').decode(reply))).toBe(
      '[{"name":"5","consumers":1,"entries-read":9007199254740993,"lag":null,"new":"x"}]',
    );
  });

  it.each([
    ['1', true],
    ['0', false],
  ])('of XGROUP DESTROY %s becomes %s', (reply, destroyed) => {
    expect(xgroupDestroyCommand('s', 'g').decode(reply)).toBe(destroyed);
  });
});
