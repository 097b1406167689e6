import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { forgetConfig } from '#lib/config/config.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { invokeSource } from '../../support/aws/source-handler.ts';
import { readSecretsAt } from '../../support/aws/secrets-environment.ts';
import { use } from '../../support/jest/use.ts';

/*
 * What somebody may write into the `ingest` part of a secret: each fault is named by its place, as a fault of the
 * secret and not of the caller, and no value is shown.
 */

const VALUE = 'hunter2';
const TEXT = 'must be well-formed Unicode';
const TARGET = 'must be source-submit, or the name or ARN of a Lambda';
const LAMBDA_ONLY = 'is for Lambda targets only';

const written: string[] = [];
const write = process.stdout.write.bind(process.stdout);

const redis = await use(startRedisServer());
const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);
process.stdout.write = (line: string) => written.push(line) > 0;
afterAll(() => {
  process.stdout.write = write;
});
beforeEach(() => {
  written.length = 0;
  forgetConfig('one');
});

/** The error of a run by a secret with this `ingest`, as JSON text. */
async function refusalOf(ingest: string, parameters: object = {}) {
  secrets.set('test/one', `{"redis": {"url": "${redis.url}"}, "ingest": ${ingest}}`);
  return invokeSource(consumer, { configRef: 'one', ...parameters }).then(
    (report) => ({ report }),
    (error: Error) => error,
  );
}

describe('an invalid ingest part', () => {
  const ROWS: [ingest: string, fault: string][] = [
    ['null', '/ingest must be an object'],
    ['[]', '/ingest must be an object'],
    [`"${VALUE}"`, '/ingest must be an object'],
    ['{"stream": ""}', '/ingest/stream'],
    ['{"stream": 7}', '/ingest/stream'],
    ['{"stream": null}', '/ingest/stream'],
    ['{"stream": ["hunter2"]}', '/ingest/stream'],
    ['{"stream": "hunter2\\ud800"}', `/ingest/stream ${TEXT}`],
    ['{"group": ""}', '/ingest/group'],
    ['{"group": "hunter2\\udc00"}', `/ingest/group ${TEXT}`],
    ['{"shards": "16"}', '/ingest/shards must be an integer'],
    ['{"shards": "NaN"}', '/ingest/shards must be an integer'],
    ['{"shards": 1e400}', '/ingest/shards must be an integer'],
    ['{"shards": 1.5}', '/ingest/shards must be an integer'],
    ['{"shards": 0}', '/ingest/shards must be at least 1'],
    ['{"shards": -1}', '/ingest/shards must be at least 1'],
    ['{"shards": 1025}', '/ingest/shards must be at most 1024'],
    ['{"shards": 9007199254740993}', '/ingest/shards must be at most 1024'],
    ['{"wake": "true"}', '/ingest/wake must be true or false'],
    ['{"wake": 1}', '/ingest/wake must be true or false'],
    [`{"Stream": "${VALUE}"}`, '/ingest/Stream is not known'],
    [`{"__proto__": {"shards": "${VALUE}"}}`, '/ingest/__proto__ is not known'],
    [`{"constructor": "${VALUE}"}`, '/ingest/constructor is not known'],
    [`{"toString": "${VALUE}"}`, '/ingest/toString is not known'],
    [`{"a/b~c": "${VALUE}"}`, '/ingest/a~1b~0c is not known'],
    ['{"consumer": null}', '/ingest/consumer must be an object'],
    ['{"consumer": []}', '/ingest/consumer must be an object'],
    [`{"consumer": {"stream": "${VALUE}"}}`, '/ingest/consumer/stream is not known'],
    [`{"consumer": {"__proto__": "${VALUE}"}}`, '/ingest/consumer/__proto__ is not known'],
    [`{"consumer": {"hasOwnProperty": "${VALUE}"}}`, '/ingest/consumer/hasOwnProperty is not known'],
    ['{"consumer": {"concurrency": "10"}}', '/ingest/consumer/concurrency must be an integer'],
    ['{"consumer": {"concurrency": 1001}}', '/ingest/consumer/concurrency must be at most 1000'],
    ['{"consumer": {"batchSize": 0}}', '/ingest/consumer/batchSize must be at least 1'],
    ['{"consumer": {"batchSize": 1e9}}', '/ingest/consumer/batchSize must be at most 5000'],
    ['{"consumer": {"maxDeliveries": -5}}', '/ingest/consumer/maxDeliveries must be at least 1'],
    ['{"consumer": {"maxAgeMs": 0}}', '/ingest/consumer/maxAgeMs must be at least 1'],
    ['{"consumer": {"maxAgeMs": -1e400}}', '/ingest/consumer/maxAgeMs must be an integer'],
    ['{"consumer": {"backoffMs": 900001}}', '/ingest/consumer/backoffMs must be at most 900000'],
    ['{"consumer": {"leaseMs": 999}}', '/ingest/consumer/leaseMs must be at least 1000'],
    ['{"consumer": {"leaseMs": {}}}', '/ingest/consumer/leaseMs must be an integer'],
    ['{"consumer": {"lingerMs": -1}}', '/ingest/consumer/lingerMs must be at least 0'],
    ['{"consumer": {"refusalLimit": 1e308}}', '/ingest/consumer/refusalLimit must be at most 10000'],
    ['{"consumer": {"trim": null}}', '/ingest/consumer/trim must be true or false'],
    [`{"consumer": {"startId": "${VALUE}"}}`, '/ingest/consumer/startId must be $ or an entry id'],
    ['{"consumer": {"deadLetterStream": ""}}', '/ingest/consumer/deadLetterStream'],
    ['{"consumer": {"keyField": ""}}', '/ingest/consumer/keyField'],
    ['{"consumer": {"target": "fn", "keyField": "\\ud800"}}', `/ingest/consumer/keyField ${TEXT}`],
    ['{"consumer": {"targetBatchSize": 1001}}', '/ingest/consumer/targetBatchSize must be at most 1000'],
    ['{"consumer": {"target": ""}}', `/ingest/consumer/target ${TARGET}`],
    ['{"consumer": {"target": 7}}', `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "${VALUE} fn"}}`, `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "https://${VALUE}.example/fn"}}`, `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "../${VALUE}"}}`, `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "arn:aws:s3:::${VALUE}"}}`, `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "arn:aws:sqs:eu-central-1:123456789012:${VALUE}"}}`, `/ingest/consumer/target ${TARGET}`],
    [
      `{"consumer": {"target": "arn:aws:lambda:eu-central-1:12:function:${VALUE}"}}`,
      `/ingest/consumer/target ${TARGET}`,
    ],
    [
      `{"consumer": {"target": "arn:aws:lambda:eu-central-1:123456789012:layer:${VALUE}"}}`,
      `/ingest/consumer/target ${TARGET}`,
    ],
    [`{"consumer": {"target": ":::"}}`, `/ingest/consumer/target ${TARGET}`],
    [`{"consumer": {"target": "$LATEST"}}`, `/ingest/consumer/target ${TARGET}`],
    ['{"consumer": {"keyField": "k"}}', `/ingest/consumer/keyField ${LAMBDA_ONLY}`],
    ['{"consumer": {"targetBatchSize": 2}}', `/ingest/consumer/targetBatchSize ${LAMBDA_ONLY}`],
    [
      '{"stream": "s", "shards": 1, "consumer": {"target": "fn", "deadLetterStream": "s:0"}}',
      '/ingest/consumer/deadLetterStream must be another stream',
    ],
  ];

  it.each(ROWS)('%s is a fault of the secret: %s', async (ingest, fault) => {
    const error = await refusalOf(ingest);

    expect(error).toMatchObject({ name: 'CONNECTOR:CONFIGURATION' });
    expect((error as { message: string }).message).toContain(fault);
    expect([JSON.stringify(error), (error as Error).message, ...written].join()).not.toContain(VALUE);
  });

  it("the secret's faults are all named at once", async () => {
    const error = await refusalOf('{"shards": -1, "group": 1, "x": 1, "consumer": {"trim": 0, "target": "!"}}');

    expect((error as Error).message).toContain('5 faults');
  });

  it('an invalid ingest part is refused, no matter how large and deep it is', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const many = Array.from({ length: 2000 }, (_, index) => `"name-${index}": "${VALUE}"`).join();

    for (const ingest of [`{"shards": ${deep}}`, `{"consumer": ${deep}}`, `{${many}}`, `{"stream": ${deep}}`]) {
      forgetConfig('one');
      const error = await refusalOf(ingest);

      expect(error).toMatchObject({ name: 'CONNECTOR:CONFIGURATION' });
      expect((error as Error).message.length).toBeLessThan(14_000);
      expect([(error as Error).message, ...written].join()).not.toContain(VALUE);
    }
  });
});

it.each([
  [{ keyField: 'k' }, '/keyField'],
  [{ target: 'source-submit' }, '/keyField'],
  [{ target: 'arn:aws:s3:::bucket' }, '/target'],
])("a call's setting %j that conflicts with the secret's is a fault of the caller", async (parameters, pointer) => {
  const error = await refusalOf('{"consumer": {"target": "source-submit", "keyField": "k"}}', parameters);

  expect(error).toMatchObject({ name: 'STREAM:ARGUMENT' });
  expect((error as Error).message).toContain(pointer);
});

it.each([
  'fn',
  'fn:$LATEST',
  'fn:live',
  '123456789012:function:fn',
  '123456789012:function:fn:7',
  'arn:aws:lambda:eu-central-1:123456789012:function:fn',
  'arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:fn_1-x:PROD',
])('the target %s is accepted', async (target) => {
  const outcome = await refusalOf(`{"shards": 1, "consumer": {"target": "${target}", "keyField": "k"}}`);

  expect(outcome).toMatchObject({ report: { stoppedBecause: 'drained' } });
});
