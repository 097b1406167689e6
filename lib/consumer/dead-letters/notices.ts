import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.ts';
import type { Log } from '../../core/log.ts';
import type { Redis } from '../../redis/redis.ts';
import { readEnvironment } from '../../config/config.ts';
import { noticeKeyOf } from '../redis-keys.ts';
import type { NewLetter, Notice } from './notice.ts';

/** Publishes a notice. */
type SendNotice = (notice: Notice, signal: AbortSignal) => Promise<void>;

interface NoticesOptions {
  readonly redis: Redis;
  /** Any shard of the group. */
  readonly stream: string;
  readonly group: string;
  readonly deadline: Deadline;
  readonly log: Log;
  readonly send: SendNotice;
}

/** A group sends one notice in this time, over all its runs, in milliseconds. */
const NOTICE_EVERY_MS = 1000;
/** Time for sending a notice, in milliseconds: at most, and at least at the end of a run. */
const SEND_MS = 2000;
const LEAST_SEND_MS = 250;

/** Notices of a group's dead letters, if the deployment has a topic or an event bus for them. */
export function openNotices(
  redis: Redis,
  group: Pick<NoticesOptions, 'stream' | 'group'>,
  deadline: Deadline,
  log: Log,
): Notices | undefined {
  const { deadLetterTopic } = readEnvironment();
  if (deadLetterTopic === undefined) return undefined;
  const send: SendNotice = async (notice, signal) => {
    const { publish } = await import('./publish.ts'); // a run without dead letters does not need it
    await publish(deadLetterTopic, notice, signal);
  };
  return new Notices({ redis, ...group, deadline, log, send });
}

/** Tells of dead letters, at most once a second and group. What fails is logged, and never fails the run. */
class Notices {
  readonly #options: NoticesOptions;
  #newest: NewLetter | undefined;
  #count = 0;
  #sending: Promise<void> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  add(letter: NewLetter): void {
    this.#newest = letter;
    this.#count++;
    this.#sending ??= this.#sendAll();
  }

  /** Sends what is left at the end of a run, if the time suffices. */
  async end(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    const { deadline, log, group, send } = this.#options;
    await Promise.resolve(); // letters that come together are one notice
    while (this.#count > 0) {
      const leftMs = deadline.remainingMs();
      if (leftMs < LEAST_SEND_MS) {
        log.warn('dead letters without a notice', { count: this.#take().count });
      } else if (await this.#mayTell()) {
        const notice = { ...this.#take(), group };
        await send(notice, AbortSignal.timeout(Math.min(SEND_MS, leftMs))).catch((error: unknown) => {
          log.warn('dead letter notice not sent', { count: notice.count, error });
        });
      } else {
        await sleep(NOTICE_EVERY_MS / 4);
      }
    }
    this.#sending = undefined;
  }

  /** The newest letter, and how many there are since the last one that was taken. */
  #take(): NewLetter & { count: number } {
    const taken = { ...this.#newest!, count: this.#count };
    this.#count = 0;
    return taken;
  }

  /** Whether no run of the group told within the last second. Without Redis, this one tells. */
  #mayTell(): Promise<boolean> {
    const { redis, stream, group } = this.#options;
    const key = noticeKeyOf(stream, group);
    const args = ['SET', key, '', 'NX', 'PX', String(NOTICE_EVERY_MS)];
    return redis.send({ key, args, decode: (reply) => reply !== null }).catch(() => true);
  }
}
