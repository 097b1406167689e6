import { expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '#sandbox/network/listen.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startContainer } from '#test/support/aws/container.ts';
import { isSignedBy } from '#test/support/aws/signature.ts';
import { use } from '#test/support/jest/use.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';

/*
 * The packaged consumer tells a topic or an event bus of dead letters. The services are stand-ins that check
 * signatures.
 */

interface Told {
  readonly service: string | undefined;
  /** When it arrived, in milliseconds. */
  readonly arrivedAt: number;
  readonly connection: string | undefined;
  readonly body: string;
}

const IDENTITY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
const SNS = 'arn:aws:sns:eu-central-1:123456789012:letters';
const BUS = 'arn:aws:events:eu-central-1:123456789012:event-bus/default';
/** A timer may fire a little early. */
const SECOND_MS = 990;

const told: Told[] = [];
let status = 200;
const services = await use(
  listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const service = ['sns', 'events'].find((name) => isSignedBy(IDENTITY, name, request, body));
        const { connection } = request.headers;
        told.push({ service, arrivedAt: performance.now(), connection, body });
        response.writeHead(status).end(service === 'events' ? '{"FailedEntryCount": 0}' : '<PublishResponse/>');
      });
    }),
  ),
);
const mdm = await use(startSandboxMdm());
const fixture = await use(startFixture({ secrets: (url) => ({ default: { redis: { url }, mdm: mdm.secret } }) }));

/** Runs the consumer over entries that can never succeed. */
async function bury(arn: string, entries: number) {
  told.length = 0;
  const stream = fixture.key();
  for (let index = 0; index < entries; index++)
    await fixture.redis('XADD', stream, '*', 'secret-field', `secret-${index}`);
  const startedAt = performance.now();
  const lambda = await startContainer(fixture.secrets, {
    AWS_ACCESS_KEY_ID: IDENTITY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: IDENTITY.secretAccessKey,
    AWS_SESSION_TOKEN: IDENTITY.sessionToken,
    AWS_ENDPOINT_URL_SNS: services.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: services.url,
    CONNECTOR_DEAD_LETTER_TOPIC: arn,
  });
  try {
    const report = await lambda.invoke<{ deadLettered: number }>('stream-consumer', { stream, group: 'g' });
    return { startedAt, stream, report, log: lambda.log.filter((line) => line.includes('dead letter notice')) };
  } finally {
    await lambda.stop();
  }
}

it('a topic is notified of the newest letter and the count of letters, at most once a second', async () => {
  const { startedAt, stream, report } = await bury(SNS, 300);

  expect(report.deadLettered).toBe(300);
  const forms = told.map(({ body }) => new URLSearchParams(body));
  expect(forms.map((form) => [form.get('Action'), form.get('TopicArn')])).toEqual(told.map(() => ['Publish', SNS]));
  const notices = forms.map((form) => JSON.parse(form.get('Message')!) as { count: number });
  expect(notices.reduce((sum, { count }) => sum + count, 0)).toBe(300);
  expect(notices[0]).toEqual({
    stream,
    group: 'g',
    id: expect.stringMatching(/^\d+-\d+$/),
    type: expect.any(String),
    reason: expect.any(String),
    attempts: 1,
    count: expect.any(Number),
  });
  for (const [index, { arrivedAt: time, service }] of told.entries()) {
    expect(service).toBe('sns');
    expect(time - startedAt).toBeGreaterThan(index * SECOND_MS); // even if it arrives late
  }
  expect(JSON.stringify(told)).not.toContain('secret');
});

it('an event bus receives an event', async () => {
  const { stream } = await bury(BUS, 1);

  expect(told.map(({ service }) => service)).toEqual(['events']);
  const { Entries } = JSON.parse(told[0]!.body) as { Entries: [{ Detail: string }] };
  expect(Entries).toMatchObject([{ EventBusName: BUS, Source: 'mdm-stream', DetailType: 'mdm-stream.dead-letter' }]);
  expect(JSON.parse(Entries[0].Detail)).toMatchObject({ stream, group: 'g', count: 1 });
});

it('a notice takes a connection of its own, since a kept one may be gone after a container was frozen', async () => {
  await bury(SNS, 1);

  expect(told.map(({ connection }) => connection)).toEqual(['close']);
});

it('a run survives a topic that refuses, and logs it', async () => {
  status = 403;
  const { report, log } = await bury(SNS, 1).finally(() => (status = 200));

  expect(report.deadLettered).toBe(1);
  expect(log.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'warn',
      message: 'dead letter notice not sent',
      error: { message: 'sns refused the notice: 403, unknown' },
    },
  ]);
});
