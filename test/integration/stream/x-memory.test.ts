import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callStream } from '../../support/stream/call-stream.ts';
import { FILL_SHORT } from '../../support/stream/short-fields.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';
import { peakMbOf, startContainer } from '../../support/aws/container.ts';

/*
 * Peak memory of a function, on streams of `STREAM_MB` megabytes, by default 80, and groups as large: it is the same
 * with 1000.
 */

const MEGABYTES = Number(process.env.STREAM_MB ?? 80);
const PENDING = 2500 * MEGABYTES;
const LIMIT_MB = 200;
const PLAIN = { timeoutMs: 240_000 }; // on a busy machine too
const GZIP = { ...PLAIN, headers: { 'accept-encoding': 'gzip' } };

const FILL = `for at = 1, ARGV[1] do
  redis.call('XADD', KEYS[1], ARGV[3] .. string.format('%07d-0', at), 'value', ARGV[2])
end`;

const secrets = (url: string) => ({ default: { redis: { url, commandTimeoutMs: PLAIN.timeoutMs } } });
const fixture = await use(startFixture({ secrets }));

/** Adds this many entries of this many characters, whose ids begin with `first`. */
const fill = (key: string, entries: number, characters: number, first: number) =>
  fixture.redis('EVAL', FILL, '1', key, String(entries), 'x'.repeat(characters), String(first));

const STREAMS: Record<string, (key: string) => Promise<unknown>> = {
  'entries of 40 kB': async (key) => {
    for (let part = 0; part < MEGABYTES / 10; part++) await fill(key, 250, 40_000, 100 + part);
  },
  'entries of 100 bytes': async (key) => {
    for (let part = 0; part < MEGABYTES / 10; part++) await fill(key, 70_000, 100, 100 + part);
  },
  'small entries, and then entries of 3 MB': async (key) => {
    await fill(key, 5000, 10, 100);
    await fill(key, 30, 3_000_000, 101);
  },
};

const READS: [operation: string, parameters: (key: string) => object, status: number][] = [
  ['xrange', (key) => ({ key, start: '-', end: '+' }), 413],
  ['xread', (key) => ({ streamWatermarks: [{ key, id: '0' }] }), 413],
  ['xreadgroup', (key) => ({ group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] }), 200],
];

/**
 * Calls with each of these options, and the most memory that they took, in MB. Calls beyond the limit are made once
 * more: now and then V8 collects later than it need, so one container says how much was used, and only two say how much
 * is needed.
 */
async function measure(operation: string, parameters: object, options: readonly object[]) {
  const first = await measureOnce(operation, parameters, options);
  return first.peakMb < LIMIT_MB ? first : measureOnce(operation, parameters, options);
}

/** One call after the other in a separate container. */
async function measureOnce(operation: string, parameters: object, options: readonly object[]) {
  const lambda = await startContainer(fixture.secrets);
  try {
    const responses: { status: number | undefined; message: string | undefined }[] = [];
    for (const each of options) {
      const { status, error } = await callStream(lambda, 'HTTP', operation, parameters, each);
      responses.push({ status, message: error?.message });
    }
    return { responses, peakMb: peakMbOf(lambda) };
  } finally {
    await lambda.stop();
  }
}

describe.each(Object.keys(STREAMS))('a large stream of %s is read in less than 200 MB of memory', (name) => {
  const key = `memory:${name}`;
  beforeAll(async () => {
    await STREAMS[name]!(key);
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
  }, 300_000);
  afterAll(() => fixture.redis('DEL', key));

  it.each(READS)(
    'a large stream is read in less than 200 MB of memory by %s, plain and gzipped',
    async (operation, parameters, status) => {
      const { responses, peakMb } = await measure(operation, parameters(key), [PLAIN, GZIP]);

      expect(responses.map((response) => response.status)).toEqual([status, status]);
      expect(peakMb).toBeLessThan(LIMIT_MB);
    },
  );
});

it('a read refuses entries of many short fields, using less than 200 MB of memory', async () => {
  const key = fixture.key();
  await fixture.redis('EVAL', FILL_SHORT, '1', key, '100000');

  const { responses, peakMb } = await measure('xrange', { key, start: '-', end: '+' }, [PLAIN]);

  expect(responses).toMatchObject([{ status: 413 }]);
  expect(peakMb).toBeLessThan(LIMIT_MB);
  await fixture.redis('DEL', key);
});

it('a read returns 60 MB of text if gzip makes it small enough', async () => {
  const key = fixture.key();
  await fill(key, 1500, 40_000, 100);

  const { responses, peakMb } = await measure('xrange', { key, start: '-', end: '+' }, [GZIP]);

  expect(responses).toMatchObject([{ status: 200 }]);
  expect(peakMb).toBeLessThan(LIMIT_MB);
});

/** Of calls that Redis answers as a whole. */
const WHOLE_LIMIT_MB = 250;
const PEND = `for at = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('XADD', KEYS[1], at .. '-0', 'a', 'b')
  if at % 1000 == 0 then redis.call('XREADGROUP', 'GROUP', 'g', 'consumer', 'COUNT', 1000, 'STREAMS', KEYS[1], '>') end
end`;
const CONSUMERS = `for at = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('XADD', KEYS[1], '*', 'a', 'b')
  redis.call('XREADGROUP', 'GROUP', 'g', 'consumer-' .. at, 'COUNT', 1, 'STREAMS', KEYS[1], '>')
end`;
const inParts = async (script: string, key: string, count: number) => {
  await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  for (let at = 0; at < count; at += 50_000) {
    await fixture.redis('EVAL', script, '1', key, String(at + 1), String(Math.min(count, at + 50_000)));
  }
};
const LARGE: [
  what: string,
  make: (key: string) => Promise<unknown>,
  calls: [string, (key: string) => object, RegExp][],
][] = [
  [
    'many pending entries',
    (key) => inParts(PEND, key, PENDING),
    [
      [
        'xpending',
        (key) => ({ key, group: 'g', start: '-', end: '+', count: PENDING }),
        new RegExp(`${PENDING} entries are pending.*stream-xack`),
      ],
      ['xpending', (key) => ({ key, group: 'g' }), /^$/],
      ['xautoclaim', (key) => ({ key, group: 'g', consumer: 'c', minIdleMs: 0, count: 10_000 }), /^$/],
    ],
  ],
  [
    '300,000 consumers',
    (key) => inParts(CONSUMERS, key, 300_000),
    [
      ['xinfo-consumers', (key) => ({ key, group: 'g' }), /has 300000 consumers; stream-xgroup-delconsumer/],
      ['xpending', (key) => ({ key, group: 'g' }), /has 300000 consumers; stream-xgroup-delconsumer/],
    ],
  ],
  [
    '100,000 consumers',
    (key) => inParts(CONSUMERS, key, 100_000),
    [
      ['xinfo-consumers', (key) => ({ key, group: 'g' }), /has 100000 consumers; stream-xgroup-delconsumer/],
      ['xpending', (key) => ({ key, group: 'g' }), /^$/],
    ],
  ],
  [
    'two entries of 60 MB',
    async (key) => {
      await fill(key, 2, 60_000_000, 100);
      await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
      await fixture.redis('XGROUP', 'CREATE', key, 'pending', '0');
      await fixture.redis('XCLAIM', key, 'pending', 'other', '0', '1000000001-0', 'FORCE', 'JUSTID');
    },
    [
      ['xinfo-stream', (key) => ({ key }), /^Entry 100000000[12]-0 is too large/],
      [
        'xreadgroup',
        (key) => ({ group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] }),
        /^Entry 1000000001-0 is too large/,
      ],
      [
        'xclaim',
        (key) => ({ key, group: 'pending', consumer: 'c', minIdleMs: 0, ids: ['1000000001-0'] }),
        /^Entry 1000000001-0 is too large/,
      ],
      [
        'xautoclaim',
        (key) => ({ key, group: 'pending', consumer: 'c', minIdleMs: 0 }),
        /^Entry 1000000001-0 is too large/,
      ],
      ['xrange', (key) => ({ key, start: '-', end: '+' }), /too large|over 6 MB/],
      ['xread', (key) => ({ streamWatermarks: [{ key, id: '0' }] }), /too large|over 6 MB/],
    ],
  ],
  [
    'an entry of 20 MB, which gzip makes fit',
    (key) => fill(key, 1, 20_000_000, 100).then(() => fixture.redis('XGROUP', 'CREATE', key, 'g', '0')),
    [
      ['xinfo-stream', (key) => ({ key }), /too large/],
      ['xreadgroup', (key) => ({ group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] }), /too large/],
    ],
  ],
];

describe.each(LARGE)('with %s, in less than 250 MB of memory', (what, make, calls) => {
  const key = `memory:${what}`;
  beforeAll(() => make(key), 300_000);
  afterAll(() => fixture.redis('DEL', key));

  it.each(calls)(
    '%s %# returns a result, or a 413 that says what is too large and what helps',
    async (operation, parameters, refusal) => {
      const { responses, peakMb } = await measure(operation, parameters(key), [PLAIN, GZIP]);

      for (const response of responses.filter(({ status }) => status !== 200))
        expect(response).toEqual({ status: 413, message: expect.stringMatching(refusal) });
      expect(peakMb).toBeLessThan(WHOLE_LIMIT_MB);
    },
  );
});
