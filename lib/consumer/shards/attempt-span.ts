import { withSpan } from '../../core/span.ts';
import { writerOf } from '../../core/trace.ts';
import { fieldOf } from '../entry.ts';
import type { BatchEntry } from '../targets/target.ts';

/** Attempts an entry, or a batch of them, in a span that links the spans that wrote them. */
export function withAttemptSpan<T>(entries: readonly BatchEntry[], work: () => Promise<T>): Promise<T> {
  return withSpan(
    () => ({
      name: 'process',
      kind: 'CONSUMER',
      attributes: {
        'messaging.system': 'redis',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.batch.message_count': entries.length,
        'mdm_stream.attempt': Math.max(...entries.map(({ deliveries }) => deliveries)),
      },
      links: entries.flatMap(({ entry }) => writerOf((name) => fieldOf(entry, name)) ?? []),
    }),
    work,
  );
}
