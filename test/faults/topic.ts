import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '#sandbox/network/listen.ts';

/** A notice of dead letters: when it arrived, in milliseconds, and of how many it tells. */
interface Notice {
  readonly at: number;
  readonly count: number;
}

/** A topic that is told of dead letters, as SNS has it. */
export interface Topic {
  readonly url: string;
  readonly arn: string;
  readonly notices: readonly Notice[];
  close(): Promise<void>;
}

export async function startTopic(): Promise<Topic> {
  const notices: Notice[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const { count } = JSON.parse(new URLSearchParams(body).get('Message')!) as { count: number };
        notices.push({ at: performance.now(), count });
        response.end('<PublishResponse/>');
      });
    }),
  );
  return { url, arn: 'arn:aws:sns:eu-central-1:123456789012:letters', notices, close };
}
