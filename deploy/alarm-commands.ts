import type { Deployment } from './parameters.ts';

/** What an operator runs first when an alarm rings, as docs/operating.md has it. */
const COMMANDS = {
  ConsumerNotRunning: 'npm run doctor -- --remote --stage <stage>',
  ConsumerFailing: 'npm run doctor -- --remote --stage <stage>',
  ConsumerUnfinished: 'npm run doctor -- --remote --stage <stage>',
  ConsumerOldestEntry: 'npm run status -- --remote --stage <stage>',
  ConsumerBreakerOpen: `npm run invoke -- --remote --stage <stage> mdm-check '{}'`,
  ConsumerDeadLetters: 'npm run status -- --remote --stage <stage>',
  ConsumerStreamLength: 'npm run status -- --remote --stage <stage>',
  ServerFailures: 'npm run doctor -- --remote --stage <stage>',
  ApiServerErrors: `aws logs tail /aws/http-api/<stack> --since 15m --filter-pattern '{ $.status = "5*" }'`,
  FunctionErrors: 'npm run doctor -- --remote --stage <stage>',
  FunctionThrottles: 'aws lambda get-account-settings --query AccountLimit',
  MdmTimeouts: `npm run invoke -- --remote --stage <stage> mdm-check '{}'`,
  RefusedLogins: `npm run invoke -- --remote --stage <stage> mdm-check '{}'`,
  ChecksFailing: 'npm run doctor -- --remote --stage <stage>',
  SchedulesDeadLetters:
    'aws sqs receive-message --visibility-timeout 0 --queue-url "$(aws cloudformation list-exports --output text ' +
    `--query "Exports[?Name=='<stack>-SchedulesDeadLetterQueueUrl'].Value")"`,
} as const;

/** The remedy for an alarm, for its description. Several alarms of one kind differ by a number or a hash. */
export function remedyOf(name: string, { service, stage }: Pick<Deployment, 'service' | 'stage'>): string {
  const kind = name.replace(/(\d+|[0-9a-f]{8})$/, '') as keyof typeof COMMANDS;
  const command = COMMANDS[kind].replace('<stack>', `${service}-${stage}`).replace('<stage>', stage);
  return `Start with: ${command} Then see docs/operating.md#${kind.toLowerCase()}`;
}
