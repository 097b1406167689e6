import { describe, expect, it } from '@jest/globals';
import { createLog, type Level } from '#lib/core/log.ts';

function collect(level: Level = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { function: 'f' }, (line) => lines.push(line));
  return { log, read: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object per line with its bound fields', () => {
    const { log, read } = collect();

    log.with({ requestId: 'r' }).info('login', { ms: 3 });

    expect(read()).toEqual([
      { level: 'info', time: expect.any(String), message: 'login', function: 'f', requestId: 'r', ms: 3 },
    ]);
  });

  it('the log is silent below its level', () => {
    const { log, read } = collect();

    log.debug('noise');

    expect(read()).toEqual([]);
  });

  it('writes metrics at every level, but no secrets', () => {
    const { log, read } = collect('error');

    log.with({ requestId: 'r' }).always('run', { read: 3, password: 'hunter2' });

    expect(read()).toMatchObject([{ level: 'info', message: 'run', requestId: 'r', read: 3, password: '[redacted]' }]);
  });

  it.each([
    'password',
    'sessionId',
    'icSessionId',
    'IDS-SESSION-ID',
    'Authorization',
    'apiKey',
    'sourcePKey',
    'record',
  ])('redacts %s at any depth', (name) => {
    const { log, read } = collect();

    log.info('x', { outer: [{ [name]: 'hunter2' }] });

    expect(JSON.stringify(read())).not.toContain('hunter2');
    expect(read()[0]).toMatchObject({ outer: [{ [name]: '[redacted]' }] });
  });

  it('logs an error with its cause', () => {
    const { log, read } = collect();

    log.error('failed', { error: new Error('outer', { cause: new TypeError('inner') }) });

    expect(read()[0]).toMatchObject({ error: { message: 'outer', cause: { name: 'TypeError', message: 'inner' } } });
  });
});
