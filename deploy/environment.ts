import { wrapperOf } from './layers.ts';
import type { Deployment } from './parameters.ts';

/** What a deployment adds to the connector's own variables. Those of the parameters file may name another wrapper. */
export function furtherVariables(deployment: Deployment): Record<string, string> {
  const { deadLetterTopicArn, environment } = deployment;
  return {
    ...(deadLetterTopicArn && { CONNECTOR_DEAD_LETTER_TOPIC: deadLetterTopicArn }),
    ...wrapperOf(deployment),
    ...environment,
  };
}
