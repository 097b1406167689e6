import { functionName } from './names.ts';
import type { Deployment } from './parameters.ts';
import type { TemplateResource } from './tags.ts';

/** What an operator asks of the logs, by its name. */
const QUERIES = {
  AuditTrail: [
    'fields @timestamp, operation, changed, configRef, stream, businessEntity, caller, correlationId',
    'filter message = "changed"',
    'sort @timestamp asc',
  ],
  Failures: [
    'fields @timestamp, function, operation, type, status, detail, hint, correlationId',
    'filter message in ["refused", "failed"]',
    'sort @timestamp desc',
  ],
  FailuresByType: [
    'filter message in ["refused", "failed"]',
    'stats count(*) as calls by operation, type, bin(5m)',
    'sort calls desc',
  ],
  ConsumerRuns: [
    'fields @timestamp, stream, stoppedBecause, processed, failed, deadLettered, lag, pending, runMs',
    'filter message = "run"',
    'sort @timestamp desc',
  ],
  OneCall: [
    'fields @timestamp, function, level, message, type, detail',
    'filter correlationId = "REPLACE"',
    'sort @timestamp asc',
  ],
};

/** Queries of Logs Insights over the log groups of all functions, by the prefix of their names. */
export function savedQueries(deployment: Deployment): Record<string, TemplateResource> {
  const { service, stage } = deployment;
  const source = `SOURCE logGroups(namePrefix: ['/aws/lambda/${functionName(deployment, '')}'])`;
  const queries = Object.entries(QUERIES).map(([name, steps]) => [
    `${name}Query`,
    {
      Type: 'AWS::Logs::QueryDefinition',
      Properties: { Name: `${service}-${stage}/${name}`, QueryString: [source, ...steps].join('\n| ') },
    },
  ]);
  return Object.fromEntries(queries) as Record<string, TemplateResource>;
}
