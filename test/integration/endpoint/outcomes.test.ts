import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { registry } from '#functions/registry.ts';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSilentPort } from '#test/support/redis/silent-port.ts';
import { startTcpProxy } from '#test/support/redis/tcp-proxy.ts';

/*
 * What a caller reads in an error: whether the call may have been carried out, and whether repeating it is safe. The
 * upstream carries the calls out, and their responses are lost.
 */

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const proxy = await use(startTcpProxy(redis.port));
const silent = await startSilentPort();
await use(Promise.resolve({ stop: () => silent.close() }));
const url = `redis://127.0.0.1:${proxy.port}`;
stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url } });
afterEach(() => stack.mdm.behave());

const handlerOf = async (name: string) => {
  const [path] = globSync(`functions/*/${name.slice(name.indexOf('-') + 1)}/handler.ts`);
  const { handler } = (await import(`#${path}`)) as { handler: Handler };
  return handler;
};
const exampleOf = (name: string) => registry.find((operation) => operation.name === name)!.example.input;
const call = async (name: string, more: object = {}, timeoutMs?: number) =>
  problemOf(await handlerOf(name), { ...exampleOf(name), ...more }, { timeoutMs });

const openSession = async () => postSource(await handlerOf('mdm-business-entities'), {});

describe('an MDM call whose response is lost', () => {
  const lose = () => stack.mdm.misbehave({ path: '/', after: true, reset: true, times: null });

  it.each([
    ['mdm-source-submit', { sourcePKey: undefined }],
    ['mdm-source-patch', {}],
    ['mdm-master-patch', {}],
    ['mdm-master-update', { sourcePKey: undefined }],
    ['mdm-merge', {}],
    ['mdm-unmerge', {}],
    ['mdm-relationship-create', {}],
    ['mdm-job-start', {}],
    ['mdm-http-request', { method: 'POST', body: {} }],
  ])('an MDM call whose response is lost is not retryable, and was sent once: %s', async (name, parameters) => {
    await openSession();
    lose();
    const before = stack.urls().length;

    const problem = await call(name, parameters);

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, retryable: false, outcome: 'unknown' });
    expect(stack.urls().length - before).toBe(1);
  });

  it.each([
    ['mdm-source-submit', {}],
    ['mdm-source-replace', {}],
    ['mdm-source-delete', {}],
    ['mdm-master-update', {}],
    ['mdm-master-delete', {}],
    ['mdm-merge-preview', {}],
    ['mdm-relationship-update', {}],
    ['mdm-relationship-delete', {}],
    ['mdm-search', {}],
    ['mdm-http-request', {}],
  ])(
    'a repeatable MDM call whose response is lost is retryable, and was tried three times: %s',
    async (name, parameters) => {
      await openSession();
      lose();
      const before = stack.urls().length;

      const problem = await call(name, parameters);

      expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, retryable: true, outcome: 'unknown' });
      expect(stack.urls().length - before).toBe(3);
    },
  );

  it.each([
    ['a gateway that gave up', { status: 504 }, 'MDM:SERVER_ERROR', 502],
    ['a 408', { status: 408 }, 'MDM:CLIENT_ERROR', 408],
    ['silence', { delayMs: 5000 }, 'MDM:TIMEOUT', 504],
  ])('an MDM call whose response is lost has an unknown outcome after %s', async (_, fault, type, status) => {
    await openSession();
    stack.mdm.misbehave({ ...fault, path: '/business-entity', after: true });

    const problem = await call('mdm-merge', {}, 2500);

    expect(problem).toMatchObject({ type, status, retryable: false, outcome: 'unknown' });
  });

  it.each([
    ['refused', 422, {}, false],
    ['put off', 429, { 'retry-after': '40' }, true],
  ])(
    'an MDM call whose response is lost has an unknown outcome if its next attempt is %s',
    async (_, status, headers, retryable) => {
      await openSession();
      const path = '/business-entity';
      stack.mdm.misbehave({ path, after: true, reset: true }, { path, status, headers });

      const problem = await call('mdm-source-submit');

      expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status, retryable, outcome: 'unknown' });
    },
  );
});

describe('an MDM call that was not carried out', () => {
  it('an MDM call that was not carried out is retryable after a 429, whatever it does', async () => {
    stack.mdm.misbehave({ path: '/business-entity', status: 429, headers: { 'retry-after': '40' } });

    expect(await call('mdm-merge')).toMatchObject({ status: 429, retryable: true, outcome: 'refused' });
  });

  it.each([
    ['refused', async () => `http://127.0.0.1:${await freePort()}`, 'MDM:CONNECTIVITY'],
    ['unanswered', async () => silent.url, 'MDM:TIMEOUT'],
    ['not of TLS', async () => stack.mdm.url.replace('http:', 'https:'), 'MDM:CONNECTIVITY'],
  ])(
    'an MDM call that was not carried out is retryable if its connection is %s, whatever it does',
    async (_, address, type) => {
      const configRef = stack.configure({ baseUrl: await address() });

      expect(await call('mdm-merge', { configRef }, 1500)).toMatchObject({
        type,
        retryable: true,
        outcome: 'not-sent',
      });
    },
  );

  it('an MDM call that was not sent is retryable if the login gets no response', async () => {
    const configRef = stack.configure({ timeoutMs: 200 });
    stack.mdm.misbehave({ path: '/saas', delayMs: 2000, times: null });

    const problem = await call('mdm-merge', { configRef });

    expect(problem).toMatchObject({ type: 'MDM:TIMEOUT', retryable: true, outcome: 'not-sent' });
  });

  it('an MDM call that was not sent is retryable if the data model gets no response', async () => {
    const configRef = stack.configure({ timeoutMs: 200, baseUrl: `${stack.mdm.url}/` });
    stack.mdm.misbehave({ path: '/metadata', delayMs: 2000, times: null });

    const problem = await call('mdm-source-submit', { configRef, validate: true, sourcePKey: undefined });

    expect(problem).toMatchObject({ type: 'MDM:TIMEOUT', retryable: true, outcome: 'not-sent' });
  });

  it('an MDM call that was not carried out is not retryable if the record was refused for good', async () => {
    stack.mdm.misbehave({ path: '/business-entity', status: 422 });

    expect(await call('mdm-merge')).toMatchObject({ status: 422, retryable: false, outcome: 'refused' });
    expect(await call('mdm-merge', { records: [] })).toMatchObject({
      status: 400,
      retryable: false,
      outcome: 'not-sent',
    });
  });
});

describe('an MDM call that must not be sent twice', () => {
  it('an MDM call that must not be sent twice waits longer than timeoutMs', async () => {
    const configRef = stack.configure({ timeoutMs: 300 });
    stack.mdm.misbehave({ path: '/business-entity', delayMs: 1200, times: null });

    const merge = await call('mdm-merge', { configRef }); // refused by the sandbox, after its delay
    const search = await call('mdm-source-read', { configRef });

    expect(merge).toMatchObject({ type: 'MDM:CLIENT_ERROR', outcome: 'refused' });
    expect(search).toMatchObject({ type: 'MDM:TIMEOUT', outcome: 'unknown' });
  });

  it('an MDM call that must not be sent twice waits no longer than the invocation has left', async () => {
    const startedAt = performance.now();
    stack.mdm.misbehave({ path: '/business-entity', delayMs: 20_000, times: null });

    expect(await call('mdm-merge', {}, 2000)).toMatchObject({ type: 'MDM:TIMEOUT', retryable: false });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});

describe('a Redis call whose reply is lost', () => {
  it.each([
    ['stream-xadd', 0],
    ['stream-xadd-batch', 1], // a MULTI that writes nothing comes first
    ['stream-xreadgroup', 0],
    ['stream-xgroup-setid', 0],
  ])('a Redis call whose reply is lost is not retryable: %s', async (name, skip) => {
    await redis.command('XGROUP', 'CREATE', 'orders', 'billing', '$', 'MKSTREAM').catch(() => {});
    await call('stream-xrange', { key: 'text' }).catch(() => {}); // opens the connection
    proxy.cutReply(skip);

    const problem = await call(name);

    expect(problem).toMatchObject({ type: 'STREAM:COMMAND', status: 503, retryable: false, outcome: 'unknown' });
  });

  it.each([['stream-xack'], ['stream-xrange'], ['stream-xdel'], ['mdm-source-enqueue']])(
    'a Redis call whose reply is lost is retryable if it may run twice: %s',
    async (name) => {
      await call('stream-xrange', { key: 'text' }).catch(() => {});
      proxy.cutReply();

      const problem = await call(name);

      expect(problem).toMatchObject({ type: 'STREAM:COMMAND', status: 503, retryable: true, outcome: 'unknown' });
    },
  );

  it('a Redis call whose reply is lost is not retryable after a timeout', async () => {
    stack.secrets.set('test/slow', { redis: { url, commandTimeoutMs: 300 } });
    await call('stream-xrange', { key: 'text', configRef: 'slow' }).catch(() => {});
    proxy.stall();

    const problem = await call('stream-xadd', { configRef: 'slow' });
    proxy.pass();
    proxy.cut();

    expect(problem).toMatchObject({ status: 504, retryable: false, outcome: 'unknown' });
  });
});

describe('a Redis call that was not carried out', () => {
  it('a Redis call that was not carried out is retryable if nothing can be reached', async () => {
    stack.secrets.set('test/nowhere', { redis: { url: `redis://127.0.0.1:${await freePort()}` } });

    const problem = await call('stream-xadd', { configRef: 'nowhere' });

    expect(problem).toMatchObject({ status: 503, retryable: true, outcome: 'not-sent' });
  });

  it('a Redis call is retryable, and not sent later, if connecting takes too long', async () => {
    const received: string[] = [];
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        received.push(String(data));
        setTimeout(() => socket.write('+OK\r\n'.repeat(String(data).match(/^\*/gm)!.length)), 400);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const late = `redis://:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
    stack.secrets.set('test/late', { redis: { url: late, commandTimeoutMs: 200 } });

    const problem = await call('stream-xadd', { configRef: 'late' });
    await new Promise((resolve) => setTimeout(resolve, 600));
    server.close();

    expect(problem).toMatchObject({ status: 504, retryable: true, outcome: 'not-sent' });
    expect(received.join()).toContain('AUTH');
    expect(received.join()).not.toContain('XADD');
  });
});
