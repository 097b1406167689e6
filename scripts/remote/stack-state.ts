/** A stack of CloudFormation, which may not be there. */
export interface NamedStack {
  readonly name: string;
  readonly stage: string;
  /** Default: that of the environment or the profile. */
  readonly region: string | undefined;
}

/** States in which CloudFormation updates a stack. */
const UPDATABLE = /^((CREATE|(UPDATE|IMPORT)(_ROLLBACK)?)_COMPLETE|UPDATE_FAILED)$/;
/** A change set was made for a stack that is not there yet, and not carried out. */
const NOT_BEGUN = 'REVIEW_IN_PROGRESS';

/** What has to be done before CloudFormation updates a stack in this state; undefined if it does. */
export function cureOf(status: string, stack: NamedStack): string | undefined {
  if (UPDATABLE.test(status)) return undefined;
  const events = eventsOf(stack);
  if (status.endsWith('IN_PROGRESS') && status !== NOT_BEGUN) return `Wait until that is done: ${events}`;
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    const next = `aws cloudformation continue-update-rollback --stack-name ${stack.name}${inRegion(stack)}`;
    return `Repair what its events name (${events}), then let it return to the last deployment: ${next}`;
  }
  const remove = `npm run remove -- --stage ${stack.stage}${inRegion(stack)}`;
  return `CloudFormation does not update it. Its events say why (${events}). Remove it, then deploy again: ${remove}`;
}

/** The command that shows what happened to a stack. */
export const eventsOf = (stack: NamedStack): string =>
  `aws cloudformation describe-stack-events --stack-name ${stack.name}${inRegion(stack)}`;

const inRegion = ({ region }: NamedStack) => (region === undefined ? '' : ` --region ${region}`);
