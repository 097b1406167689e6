import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import { pauseOrResume, scope } from '../../../lib/contract/parameters/status.ts';
import { GroupName } from '../../../lib/contract/parameters/stream.ts';

const WEEK_MS = 604_800_000;

/** Pause the consumer, or let it go on. */
export const pause = defineOperation({
  name: 'stream-pause',
  group: 'consumer',
  summary: 'Pause the consumer, or let it go on',
  description:
    'Runs end within a second, `stoppedBecause` is `paused`, and none starts until the pause ends. Entries wait in the ' +
    'stream meanwhile. A pause replaces the one before it.',
  input: Type.Object(
    {
      ...scope,
      group: Type.Optional({ ...GroupName, description: "The group. Default: the secret's." }),
      forMs: Type.Optional(
        Type.Integer({ minimum: 1, maximum: WEEK_MS, description: 'How long, milliseconds; at most 7 days.' }),
      ),
      resume: Type.Optional(Type.Literal(true, { description: 'End the pause.' })),
    },
    pauseOrResume,
  ),
  output: Type.Object({
    pausedUntil: Type.Union([Type.String(), Type.Null()], {
      description: 'When it goes on by itself; null: it may now.',
    }),
  }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND'],
  example: { input: { forMs: 3_600_000 }, output: { pausedUntil: '2025-11-20T13:00:00.000Z' } },
});
