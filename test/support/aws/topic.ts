import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '#sandbox/network/listen.ts';

/** A topic of SNS that takes notices of dead letters. */
export interface Topic {
  readonly url: string;
  readonly arn: string;
  /** How many letters each notice tells of, in the order of their arrival. */
  readonly counts: readonly number[];
  close(): Promise<void>;
}

export async function startTopic(): Promise<Topic> {
  const counts: number[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const { count } = JSON.parse(new URLSearchParams(body).get('Message')!) as { count: number };
        counts.push(count);
        response.end('<PublishResponse/>');
      });
    }),
  );
  return { url, arn: 'arn:aws:sns:eu-central-1:123456789012:letters', counts, close };
}
