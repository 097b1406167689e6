/* A separate file, imported when the first entry is given up. */
import { SignatureV4 } from '@smithy/signature-v4';
import { endpointOf } from '../../config/aws-client.ts';
import { awsIdentity } from '../../config/config.ts';
import type { Notice } from './notice.ts';

/** Name of the events on a bus. */
const DETAIL_TYPE = 'mdm-stream.dead-letter';
const SOURCE = 'mdm-stream';
const SNS_VERSION = '2010-03-31';

interface Message {
  readonly contentType: string;
  readonly body: string;
  readonly target?: string;
}

/** The messages of the services that take notices. */
const MESSAGES: Record<string, (arn: string, text: string) => Message> = {
  sns: (TopicArn, Message) => ({
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ Action: 'Publish', Version: SNS_VERSION, TopicArn, Message }).toString(),
  }),
  events: (EventBusName, Detail) => ({
    contentType: 'application/x-amz-json-1.1',
    body: JSON.stringify({ Entries: [{ EventBusName, Source: SOURCE, DetailType: DETAIL_TYPE, Detail }] }),
    target: 'AWSEvents.PutEvents',
  }),
};

/**
 * Publishes a notice to an SNS topic or to an event bus. The request is signed here, because the SDK's clients of both
 * services would double the size of the consumer.
 *
 * @param arn of the topic or the bus
 * @throws for a response other than success, by its status and the service's code
 */
export async function publish(arn: string, notice: Notice, signal: AbortSignal): Promise<void> {
  const [, , service = '', region = ''] = arn.split(':');
  const { contentType, body, target } = MESSAGES[service]!(arn, JSON.stringify(notice));
  const { protocol, host, hostname, port, pathname } = new URL(endpointOf(service, region));
  const { credentials, sha256 } = awsIdentity();
  const signer = new SignatureV4({ credentials, region, service, sha256 });
  const headers = { host, 'content-type': contentType, ...(target && { 'x-amz-target': target }) };
  const request = {
    method: 'POST',
    protocol,
    hostname,
    port: Number(port) || undefined,
    path: pathname,
    headers,
    body,
  };
  const signed = await signer.sign(request);
  // a connection that was kept may be gone when a container that was frozen sends the next notice
  const sent = { ...signed, headers: { ...signed.headers, connection: 'close' }, signal };
  const response = await fetch(`${protocol}//${host}${pathname}`, sent);
  const text = await response.text();
  const failedEntries = service === 'events' && response.ok && (JSON.parse(text) as { FailedEntryCount?: number });
  if (response.ok && !(failedEntries && failedEntries.FailedEntryCount)) return;
  const [code = 'unknown'] = /(?<=<Code>|"(?:__type|ErrorCode)":\s*")[\w.#]+/.exec(text) ?? [];
  throw new Error(`${service} refused the notice: ${response.status}, ${code}`);
}
