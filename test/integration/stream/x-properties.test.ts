import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import type { Way } from '../../support/stream/call-stream.ts';
import { registry } from '#functions/registry.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/*
 * Every command that needs no reader of its own, with any options, beside raw Redis. `STREAM_RUNS` says how many calls.
 */

const fixture = await use(startFixture());

/** Entry ids, whole or not, near those that a stream of a test holds. */
const id = fc.oneof(
  fc.constantFrom(
    '0',
    '0-0',
    '1-1',
    '3',
    '003-003',
    '5-5',
    '18446744073709551615-18446744073709551615',
    '18446744073709551616',
  ),
  fc.tuple(fc.nat(9), fc.nat(9)).map((parts) => parts.join('-')),
);
/** Values given as an id, of any command. */
const oddId = fc.oneof(
  id,
  fc.constantFrom('-', '+', '$', '>', '*', '7-*', '', 'x', '(2', '(0-0', '1-2-3', '-1', '((1'),
);
const count = fc.option(fc.constantFrom(-1, 0, 1, 2, 5, '9223372036854775807', '9223372036854775808'), {
  nil: undefined,
});
const eviction = fc.record(
  {
    maxLength: fc.constantFrom(-1, 0, 1, 3, '9223372036854775808'),
    id,
    exactTrimming: fc.boolean(),
    limit: fc.constantFrom(-1, 0, 1, 100),
  },
  { requiredKeys: [] },
);

type Value = string | number | undefined;

/** The words of an option, if it is given. */
const optional = (name: string, value: Value) => (value === undefined ? [] : [name, String(value)]);
interface Eviction {
  maxLength?: Value;
  id?: string;
  exactTrimming?: boolean;
  limit?: number;
}
/** Both variants if both are given; Redis knows no such option without a variant, so it must be refused. */
const evictionWords = ({ maxLength, id, exactTrimming = true, limit }: Eviction): string[] => {
  const strategy = exactTrimming ? '=' : '~';
  const variants = [
    ...(maxLength === undefined ? [] : ['MAXLEN', strategy, String(maxLength)]),
    ...(id === undefined ? [] : ['MINID', strategy, id]),
  ];
  return [...(variants.length > 0 ? variants : ['MAXLEN']), ...optional('LIMIT', limit)];
};

/** Ids that Redis made from its clock differ. */
const withoutTime = (state: unknown): unknown => JSON.parse(JSON.stringify(state).replace(/\d{13}-\d+/g, 'now'));

type RawEntry = [id: string, fields: string[] | null];

/** A call, the same one as raw Redis takes it, and the output that a reply to it stands for. */
interface Comparison {
  operation: string;
  parameters: object;
  raw: string[];
  /** Default: the reply. */
  output?: (reply: never) => unknown;
}

const flag = (word: string, isSet: boolean) => (isSet ? [word] : []);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const fieldsOf = (fields: string[] | null) => fields && { [fields[0]!]: fields[1] };
const entryOf = ([id, fields]: RawEntry) => ({ id, entry: fieldsOf(fields) });
const infoOf = (pairs: unknown[]): object =>
  Object.fromEntries(
    pairs.flatMap((value, at) => {
      if (at % 2 === 0) return [];
      return [[pairs[at - 1], Array.isArray(value) ? entryOf(value as RawEntry) : value]];
    }),
  ) as object;
const isOne = (reply: number) => reply === 1;

const key = fc.constantFrom('stream', 'stream', 'stream', 'absent', 'text');
const group = fc.constantFrom('g', 'g', 'g', 'absent');
const consumer = fc.constantFrom('one', 'two', 'new');
const idle = fc.constantFrom(0, 30_000, '9223372036854775807', '9223372036854775808');
const ids = fc.array(oddId, { maxLength: 4 });
/** Without an id, Redis would read the first option as one. */
const someIds = fc.array(oddId, { minLength: 1, maxLength: 4 });
/** XGROUP SETID takes the ends of a range too, which its documentation does not say: not so here. */
const documentedId = oddId.filter((id) => id !== '-' && id !== '+');
const references = fc.constantFrom('keep', 'delete', 'acked');
const DELETIONS: Record<number, string> = { [-1]: 'not-found', 1: 'deleted', 2: 'referenced' };
const REFERENCES: Record<string, string> = { keep: 'KEEPREF', delete: 'DELREF', acked: 'ACKED' };
/** Servers before Redis 8.2 lack the words, and do what KEEPREF says. */
const trimReferences = (references?: string) => (!references || references === 'keep' ? [] : [REFERENCES[references]!]);
const named = fc.record({ key, group, consumer });

const comparisons: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ key }).map(({ key }) => ({ operation: 'xlen', parameters: { key }, raw: ['XLEN', key] })),
  fc
    .record({ key, start: oddId, end: oddId, count, isReverse: fc.boolean() })
    .map(({ key, start, end, count, isReverse }) => ({
      operation: isReverse ? 'xrevrange' : 'xrange',
      parameters: { key, start, end, count },
      raw: [...(isReverse ? ['XREVRANGE', key, end, start] : ['XRANGE', key, start, end]), ...optional('COUNT', count)],
      output: (reply: RawEntry[] | null) =>
        Object.fromEntries((reply ?? []).map(([id, fields]) => [id, fieldsOf(fields)])),
    })),
  fc
    .record({
      key,
      id: oddId,
      noMkStream: fc.boolean(),
      evictionOption: maybe(eviction),
      references: maybe(references),
    })
    .map(({ references, evictionOption, ...parameters }) => ({
      ...parameters,
      evictionOption,
      references: evictionOption && references,
    }))
    .map(({ key, id, noMkStream, evictionOption, references }) => ({
      operation: 'xadd',
      parameters: { key, id, noMkStream, evictionOption, references, entry: { a: '1' } },
      raw: [
        'XADD',
        key,
        ...flag('NOMKSTREAM', noMkStream),
        ...trimReferences(references),
        ...(evictionOption ? evictionWords(evictionOption) : []),
        id,
        'a',
        '1',
      ],
    })),
  fc
    .record({ key, evictionOption: eviction, references: maybe(references) })
    .map(({ key, evictionOption, references }) => ({
      operation: 'xtrim',
      parameters: { key, evictionOption, references },
      raw: ['XTRIM', key, ...evictionWords(evictionOption), ...trimReferences(references)],
    })),
  fc
    .record({
      key,
      lastEntryId: oddId,
      mkstream: fc.boolean(),
      entriesRead: maybe(fc.constantFrom(-2, -1, 0, 7)),
    })
    .map(({ key, lastEntryId, mkstream, entriesRead }) => ({
      operation: 'xgroup-create',
      parameters: { key, group: 'new', lastEntryId, mkstream, entriesRead },
      raw: [
        'XGROUP',
        'CREATE',
        key,
        'new',
        lastEntryId,
        ...flag('MKSTREAM', mkstream),
        ...optional('ENTRIESREAD', entriesRead),
      ],
      output: () => null,
    })),
  fc.record({ key, group }).map((parameters) => ({
    operation: 'xpending',
    parameters,
    raw: ['XPENDING', parameters.key, parameters.group],
    output: ([count, minId, maxId, consumers]: [number, string, string, [string, string][] | null]) => ({
      count,
      minId,
      maxId,
      consumers: (consumers ?? []).map(([name, pending]) => ({ name, pending: Number(pending) })),
    }),
  })),
  fc
    .record({ key, group, start: oddId, end: oddId, count, consumer: maybe(consumer), minIdleMs: maybe(idle) })
    .map(({ count = 3, ...parameters }) => ({
      operation: 'xpending',
      parameters: { ...parameters, count },
      raw: [
        'XPENDING',
        parameters.key,
        parameters.group,
        ...optional('IDLE', parameters.minIdleMs),
        parameters.start,
        parameters.end,
        String(count),
        ...(parameters.consumer ? [parameters.consumer] : []),
      ],
      output: (reply: [string, string, number, number][]) =>
        reply.map(([id, consumer, idleMs, deliveries]) => ({ id, consumer, idleMs, deliveries })),
    })),
  fc
    .record({
      key,
      group,
      consumer,
      minIdleMs: idle,
      ids: someIds,
      idleMs: maybe(fc.constantFrom(0, 60_000)),
      retryCount: maybe(fc.constantFrom(0, 7)),
      force: fc.boolean(),
      justId: fc.boolean(),
    })
    .map(({ idleMs, retryCount, force, justId, ids, ...parameters }) => ({
      operation: 'xclaim',
      parameters: { ...parameters, ids, idleMs, retryCount, force, justId },
      raw: [
        'XCLAIM',
        ...Object.values(parameters).map(String),
        ...ids,
        ...optional('IDLE', idleMs),
        ...optional('RETRYCOUNT', retryCount),
        ...flag('FORCE', force),
        ...flag('JUSTID', justId),
      ],
      output: (reply: RawEntry[]) => (justId ? reply : reply.map(entryOf)),
    })),
  fc
    .record({
      key,
      group,
      consumer,
      minIdleMs: idle,
      start: id,
      count: fc.constantFrom(-1, 0, 1, 2, 5),
      justId: fc.boolean(),
    })
    .map(({ count, justId, ...parameters }) => ({
      operation: 'xautoclaim',
      parameters: { ...parameters, count, justId },
      raw: ['XAUTOCLAIM', ...Object.values(parameters).map(String), 'COUNT', String(count), ...flag('JUSTID', justId)],
      output: ([next, entries, deletedIds]: [string, RawEntry[], string[]]) => ({
        next,
        entries: justId ? entries : entries.map(entryOf),
        deletedIds,
      }),
    })),
  fc.record({ key }).map(({ key }) => ({
    operation: 'xinfo-stream',
    parameters: { key },
    raw: ['XINFO', 'STREAM', key],
    output: infoOf,
  })),
  fc.record({ key }).map(({ key }) => ({
    operation: 'xinfo-groups',
    parameters: { key },
    raw: ['XINFO', 'GROUPS', key],
    output: (reply: unknown[][]) => reply.map(infoOf),
  })),
  fc.record({ key, group }).map((parameters) => ({
    operation: 'xinfo-consumers',
    parameters,
    raw: ['XINFO', 'CONSUMERS', parameters.key, parameters.group],
    output: (reply: unknown[][]) => reply.map(infoOf),
  })),
  fc
    .record({ key, group, lastEntryId: documentedId, entriesRead: maybe(fc.constantFrom(-2, -1, 0, 7)) })
    .map(({ key, group, lastEntryId, entriesRead }) => ({
      operation: 'xgroup-setid',
      parameters: { key, group, lastEntryId, entriesRead },
      raw: ['XGROUP', 'SETID', key, group, lastEntryId, ...optional('ENTRIESREAD', entriesRead)],
      output: () => null,
    })),
  named.map((parameters) => ({
    operation: 'xgroup-createconsumer',
    parameters,
    output: isOne,
    raw: ['XGROUP', 'CREATECONSUMER', ...Object.values(parameters)],
  })),
  named.map((parameters) => ({
    operation: 'xgroup-delconsumer',
    parameters,
    raw: ['XGROUP', 'DELCONSUMER', ...Object.values(parameters)],
  })),
  fc.record({ key: fc.constantFrom('stream', 'text'), group }).map((parameters) => ({
    operation: 'xgroup-destroy',
    parameters,
    output: isOne,
    raw: ['XGROUP', 'DESTROY', ...Object.values(parameters)],
  })),
  // Redis looks at no id where there is no stream or group
  fc.record({ key: fc.constantFrom('stream', 'text'), ids }).map(({ key, ids }) => ({
    operation: 'xdel',
    parameters: { key, ids },
    raw: ['XDEL', key, ...ids],
  })),
  fc.record({ key: fc.constantFrom('stream', 'text'), ids }).map(({ key, ids }) => ({
    operation: 'xack',
    parameters: { key, group: 'g', ids },
    raw: ['XACK', key, 'g', ...ids],
  })),
  fc.record({ key: fc.constantFrom('stream', 'text'), ids, references }).map(({ key, ids, references }) => ({
    operation: 'xdelex',
    parameters: { key, ids, references },
    raw: ['XDELEX', key, REFERENCES[references]!, 'IDS', String(ids.length), ...ids],
    output: (reply: number[]) => reply.map((status, at) => ({ id: ids[at], result: DELETIONS[status] })),
  })),
  fc
    .record({ key: fc.constantFrom('stream', 'text'), group: fc.constant('g'), ids, references })
    .map(({ key, group, ids, references }) => ({
      operation: 'xackdel',
      parameters: { key, group, ids, references },
      raw: ['XACKDEL', key, group, REFERENCES[references]!, 'IDS', String(ids.length), ...ids],
      output: (reply: number[]) => reply.map((status, at) => ({ id: ids[at], result: DELETIONS[status] })),
    })),
  fc
    .record({ key, size: fc.nat(3), noMkStream: fc.boolean(), evictionOption: maybe(eviction) })
    .map(({ size, noMkStream, evictionOption, ...parameters }) => ({
      operation: 'xadd-batch',
      parameters: { ...parameters, entries: Array<object>(size).fill({ a: '1' }), noMkStream, evictionOption },
      raw: [
        'XADD',
        parameters.key,
        ...flag('NOMKSTREAM', noMkStream),
        ...(evictionOption ? evictionWords(evictionOption) : []),
        '*',
        'a',
        '1',
        `× ${size}`,
      ],
      output: (replies: (string | null)[]) => (replies.includes(null) ? null : replies),
    })),
);

/** A stream with entries that are new, pending for different times, and deleted while they were pending. */
async function place(kind: string): Promise<string> {
  const key = fixture.key();
  if (kind === 'text') await fixture.redis('SET', key, 'x');
  if (kind !== 'stream') return key;
  await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  for (const id of ['1-1', '2-2', '3-3', '4-4', '5-5']) await fixture.redis('XADD', key, id, 'a', id);
  await fixture.redis('XREADGROUP', 'GROUP', 'g', 'one', 'COUNT', '4', 'STREAMS', key, '>');
  await fixture.redis('XCLAIM', key, 'g', 'two', '0', '1-1', '2-2', 'IDLE', '60000');
  await fixture.redis('XDEL', key, '2-2');
  return key;
}

/** What is there now, or the refusal. */
async function stateOf(key: string): Promise<unknown[]> {
  const questions = [
    ['XRANGE', key, '-', '+'],
    ['XINFO', 'GROUPS', key],
    ['XPENDING', key, 'g', '-', '+', '99'],
    ['XPENDING', key, 'g'],
    ['EXISTS', key],
  ];
  return Promise.all(questions.map((words) => fixture.redis(...words).catch((error: Error) => error.message)));
}

/** Several XADD are one call of xadd-batch; Redis runs them in one MULTI. */
async function send(words: string[]): Promise<unknown> {
  const times = /^× (\d)$/.exec(words.at(-1)!)?.[1];
  if (times === undefined) return fixture.redis(...words);
  if (times === '0') throw new Error('no commands');
  return Promise.all(Array.from({ length: Number(times) }, () => fixture.redis(...words.slice(0, -1))));
}

/** As text, so that order counts. Milliseconds and ids of the clock differ; idle times do not in tens of seconds. */
const comparable = (value: unknown, key: string): string =>
  JSON.stringify(withoutTime(value))
    .replaceAll(key, 'key')
    .replace(/("(?:idleMs|idle|inactive)":)(-?\d+)/g, (_, name: string, ms: string) => name + Math.round(+ms / 10_000))
    .replace(/(\["[\d-]+","\w+",)(\d+)/g, (_, before: string, ms: string) => before + Math.round(+ms / 10_000));

/** Commands whose reads depend on what was read before: tests of their own compare them. */
const READERS = ['stream-xread', 'stream-xreadgroup'];

it('every command is compared with raw Redis', () => {
  const compared = new Set(fc.sample(comparisons, 3000).map(({ operation }) => `stream-${operation}`));

  const names = registry.map(({ name }) => name).filter((name) => name.startsWith('stream-x'));
  expect([...compared, ...READERS].sort()).toEqual(names.sort());
});

it('any command with any options has the same effect and output as raw Redis, or both refuse', async () => {
  const ways = fc.constantFrom<Way>('HTTP', 'direct invocation');
  await fc.assert(
    fc.asyncProperty(ways, comparisons, async (way, { operation, parameters, raw, output }) => {
      const kind = (parameters as { key: string }).key;
      const [ours, theirs] = [await place(kind), await place(kind)];

      const called = await fixture.call(way, operation, { ...parameters, key: ours });
      const words = raw.map((word, at) => (word === kind && at < 3 ? theirs : word));
      const reply = await send(words).catch((reason: Error) => reason);

      const refusal = reply instanceof Error ? reply.message : undefined;
      expect([raw.join(' '), called.error?.type, called.error?.message, called.error !== undefined]).toEqual([
        raw.join(' '),
        called.error?.type,
        called.error?.message,
        refusal !== undefined,
      ]);
      if (!refusal) {
        const expected = output ? output(reply as never) : reply;
        expect(comparable(called.output ?? null, ours)).toBe(comparable(expected, theirs));
      } else if (called.error!.type !== 'STREAM:ARGUMENT') {
        expect(called.error!.type).toBe(refusal.startsWith('WRONGTYPE') ? 'STREAM:WRONG_TYPE' : 'STREAM:COMMAND');
      }
      expect(comparable(await stateOf(ours), ours)).toBe(comparable(await stateOf(theirs), theirs));
    }),
    { numRuns: Number(process.env.STREAM_RUNS ?? 500) },
  );
}, 3_600_000);
