import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startLambda, type Lambda } from '#sandbox/aws/lambda.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { listen } from '#sandbox/network/listen.ts';

const CONSUMER = 'mdm-stream-test-stream-consumer';

/** The part of the consumer's report that tests read. */
export interface EndedRun {
  stoppedBecause: string;
  processed: number;
}

/** The packaged functions in two containers, one of producers and one of the consumer, with no schedule at all. */
export interface PromptStack {
  readonly redis: RedisServer;
  readonly producer: Lambda;
  /** When the MDM received each source key first, by `performance.now()`. */
  readonly received: Map<string, number>;
  /** Runs that wakes began and that have ended. */
  readonly runs: EndedRun[];
  /** Enqueues a record; returns when the call began. */
  enqueue(sourcePKey: string): Promise<number>;
  /**
   * Enqueues `count` records at this pace. Returns the sorted times from each call until the MDM had its record, in ms.
   */
  latencies(perSecond: number, count: number): Promise<number[]>;
  /** Waits until the MDM has `count` keys. */
  whenReceived(count: number, withinMs: number): Promise<void>;
  /** Runs that are active now. */
  active(): number;
  stop(): Promise<void>;
}

export async function startPromptStack({ shards = 16, timeoutMs = 60_000 } = {}): Promise<PromptStack> {
  const received = new Map<string, number>();
  const runs: EndedRun[] = [];
  const [redis, endpoint, mdm] = await Promise.all([startRedisServer(), startLambdaEndpoint(), startMdm(received)]);
  const secrets = await startSecretsManager({
    'test/default': {
      redis: { url: redis.url },
      ingest: { shards },
      mdm: { auth: { type: 'session', sessionId: 'session' }, baseUrl: mdm.url },
    },
  });
  const env = {
    CONNECTOR_SECRET_PREFIX: 'test/',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
    CONNECTOR_CONSUMER_FUNCTION: CONSUMER,
  };
  const [producer, consumer] = await Promise.all([startLambda({ env }), startLambda({ env })]);
  let active = 0;
  endpoint.respond = (payload) => {
    active++;
    void consumer
      .invoke<EndedRun>('stream-consumer', payload, { timeoutMs })
      .then((run) => runs.push(run))
      .catch(() => {})
      .finally(() => active--);
    return {};
  };
  const stack: PromptStack = {
    redis,
    producer,
    received,
    runs,
    active: () => active,
    async enqueue(sourcePKey) {
      const startedAt = performance.now();
      const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey };
      await producer.invoke('mdm-source-enqueue', { ...key, record: { name: 'Bonn' } });
      return startedAt;
    },
    async latencies(perSecond, count) {
      const before = received.size;
      const calls: Promise<[string, number]>[] = [];
      const startedAt = performance.now();
      for (let index = 0; index < count; index++) {
        await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
        const key = `${perSecond}-${before}-${index}`;
        calls.push(stack.enqueue(key).then((enqueuedAt) => [key, enqueuedAt]));
      }
      const enqueued = await Promise.all(calls);
      await stack.whenReceived(before + count, 10_000);
      return enqueued.map(([key, at]) => received.get(key)! - at).sort((a, b) => a - b);
    },
    async whenReceived(count, withinMs) {
      const until = performance.now() + withinMs;
      while (received.size < count) {
        if (performance.now() > until) throw new Error(`The MDM received ${received.size} of ${count} records`);
        await sleep(5);
      }
    },
    async stop() {
      await Promise.all([producer.stop(), consumer.stop()]);
      await Promise.all([redis.stop(), endpoint.close(), secrets.close(), mdm.close()]);
    },
  };
  return stack;
}

/** An MDM that accepts every submit, and notes when. */
async function startMdm(received: Map<string, number>) {
  const server = createServer((request, response) => {
    void text(request).then(() => {
      const sourcePKey = new URL(request.url!, 'http://mdm').searchParams.get('sourcePKey')!;
      if (!received.has(sourcePKey)) received.set(sourcePKey, performance.now());
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ approvalRequired: false, id: 'geonames:1', businessId: 'MDM1' }));
    });
  });
  return listen(server);
}
