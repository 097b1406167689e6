import Type from 'typebox';
import { withDefault } from '../operation.ts';

/** Which result makes a report not `ok`, and fails a direct or scheduled invocation. */
export const FailOn = withDefault(
  Type.Enum(['failed', 'warning'], {
    description:
      'The mildest status that counts as a failure: `ok` is then false, and a direct or scheduled invocation fails.',
  }),
  'failed',
);
export type FailOn = Type.Static<typeof FailOn>;

export const Check = Type.Object({
  name: Type.String({ description: 'What was checked.' }),
  status: Type.Enum(['passed', 'warning', 'failed', 'skipped'], {
    description: '`skipped`: it could not be checked, because an earlier check failed or a right is missing.',
  }),
  ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  detail: Type.String({ description: 'What was found.' }),
  hint: Type.Optional(Type.String({ description: 'What to do about it.' })),
});
export type Check = Type.Static<typeof Check>;

export const CheckReport = Type.Object({
  ok: Type.Boolean({ description: 'Whether no check has the status that `failOn` names, or a worse one.' }),
  checks: Type.Array(Check, { description: 'All checks, in their order.' }),
});
export type CheckReport = Type.Static<typeof CheckReport>;
