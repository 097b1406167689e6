import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFixture, type Fixture } from '../support/stream-fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const GROUP = 'mdm';

/** A stream with dead letters, as the consumer writes them; returns its key and their ids. */
async function withDeadLetters(...letters: { name: string; reason?: string; type?: string; ageMs?: number }[]) {
  const stream = fixture.key();
  const dead = `{${stream}}:dead:${GROUP}`;
  const ids: string[] = [];
  for (const [at, { name, reason = 'not JSON', type = 'MDM:CLIENT_ERROR', ageMs = 0 }] of letters.entries()) {
    const told = ['dl-source-id', `${at}-1`, 'dl-reason', reason, 'dl-error-type', type];
    const rest = ['dl-deliveries', '1', 'dl-time', new Date().toISOString()];
    const id = ageMs > 0 ? `${Date.now() - ageMs}-${at}` : '*';
    ids.push((await fixture.redis('XADD', dead, id, 'name', name, ...told, ...rest)) as string);
  }
  return { stream, dead, ids };
}

const redrive = (parameters: object) => fixture.call('direct invocation', 'redrive', { group: GROUP, ...parameters });

describe('stream-redrive', () => {
  it('puts dead letters back at the end, the oldest first, without their dl- fields', async () => {
    const { stream, dead } = await withDeadLetters({ name: 'a' }, { name: 'b' });
    await fixture.redis('XADD', stream, '*', 'name', 'before');

    const { output } = await redrive({ stream });

    const entries = (await fixture.redis('XRANGE', stream, '-', '+')) as [string, string[]][];
    expect(entries.map(([, fields]) => fields)).toEqual([
      ['name', 'before'],
      ['name', 'a'],
      ['name', 'b'],
    ]);
    expect(output).toMatchObject({ redriven: 2, remaining: 0, entries: [{ redrivenAs: entries[1]![0] }, {}] });
    expect(await fixture.redis('XLEN', dead)).toBe(0);
  });

  it('takes them by count, reason, error type and age', async () => {
    const { stream } = await withDeadLetters(
      { name: 'old', ageMs: 60_000 },
      { name: 'other reason', reason: 'API answered 422', ageMs: 50_000 },
      { name: 'other type', type: 'MDM:SERVER_ERROR', ageMs: 40_000 },
      { name: 'too young' },
    );

    const filters = { reason: 'JSON', errorType: 'MDM:CLIENT_ERROR', olderThanMs: 30_000, count: 5 };
    const { output } = await redrive({ stream, ...filters });

    expect(output).toMatchObject({ redriven: 1, remaining: 3, entries: [{ sourceId: '0-1' }] });
  });

  it('only lists them in a dry run', async () => {
    const { stream, ids } = await withDeadLetters({ name: 'a' });

    const { output } = await redrive({ stream, dryRun: true });

    expect(output).toMatchObject({ redriven: 0, remaining: 1, entries: [{ id: ids[0], redrivenAs: null }] });
    expect(await fixture.redis('EXISTS', stream)).toBe(0);
  });

  it('moves each exactly once, however many do it at a time', async () => {
    const { stream } = await withDeadLetters(...Array.from({ length: 50 }, (_, at) => ({ name: String(at) })));

    const outcomes = await Promise.all([1, 2, 3].map(() => redrive({ stream })));

    const moved = outcomes.map(({ output }) => (output as { redriven: number }).redriven);
    expect(moved.reduce((sum, count) => sum + count)).toBe(50);
    expect(await fixture.redis('XLEN', stream)).toBe(50);
  });

  it('leaves a dead letter where it is when the stream refuses it', async () => {
    const { stream, dead } = await withDeadLetters({ name: 'a' });
    await fixture.redis('SET', stream, 'not a stream');

    const { error } = await redrive({ stream });

    expect(error?.type).toBe('STREAM:WRONG_TYPE');
    expect(await fixture.redis('XLEN', dead)).toBe(1);
  });

  it('answers over HTTP too, and refuses to redrive a stream into itself', async () => {
    const stream = fixture.key();

    const outcome = await fixture.call('HTTP', 'redrive', { stream, group: GROUP, deadLetterStream: stream });

    expect(outcome).toMatchObject({ status: 400, error: { type: 'STREAM:ARGUMENT' } });
  });
});
