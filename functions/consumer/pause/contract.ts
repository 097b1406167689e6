import Type from 'typebox';
import { defineOperation } from '#lib/contract/operation.ts';
import { pauseOrResume, shardSelection } from '#lib/contract/parameters/status.ts';
import { GroupName } from '#lib/contract/parameters/stream.ts';

const WEEK_MS = 604_800_000;

export const pause = defineOperation({
  name: 'stream-pause',
  group: 'consumer',
  summary: 'Pause or resume the consumer',
  description:
    'Runs end within a second with `stoppedBecause` `paused`, and none starts until the pause ends. Entries wait ' +
    'in the stream meanwhile. A pause ends by the clock of Redis; it replaces an earlier one. Resuming wakes the ' +
    'consumer.',
  input: Type.Object(
    {
      ...shardSelection,
      group: Type.Optional({ ...GroupName, description: "The group. Default: the secret's." }),
      forMs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: WEEK_MS,
          description: 'Length of the pause in milliseconds, at most 7 days.',
        }),
      ),
      resume: Type.Optional(Type.Literal(true, { description: 'End the pause.' })),
    },
    pauseOrResume,
  ),
  output: Type.Object({
    pausedUntil: Type.Union([Type.String(), Type.Null()], {
      description: 'When the pause ends; null if there is none.',
    }),
  }),
  errors: ['STREAM:ARGUMENT', 'STREAM:COMMAND'],
  idempotent: true,
  rights: [{ needs: ['del', 'set', 'time'] }, { when: 'with `resume`', needs: ['eval', 'exists'] }],
  deploy: { wakesConsumer: true },
  example: { input: { forMs: 3_600_000 }, output: { pausedUntil: '2025-11-20T13:00:00.000Z' } },
});
