import { stringify } from 'yaml';
import type { Operation } from '../../lib/contract/operation.ts';
import { functions } from '../functions.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** What each function may do; the log permissions come with its role. */
const READ_SECRET = { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: '${self:custom.secretArn}' };
const INVOKE_TARGETS = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: '${param:consumerTargets}' };

/** Routes of the rooms that serve documents. */
const DOCUMENT_ROUTES: Record<string, { description: string; paths: string[] }> = {
  'api-openapi': { description: 'The OpenAPI document of the HTTP API', paths: ['/openapi.json'] },
  'api-docs': { description: 'A page to try every operation on', paths: ['/', '/docs', '/docs/{proxy+}'] },
};

/** The function list of serverless.yml. */
export function functionsFile(registry: readonly Operation[]): GeneratedFile {
  const operations = new Map(registry.map((operation) => [operation.name as string, operation]));
  const entries = functions.map(({ name }) => {
    const operation = operations.get(name);
    return [name, { ...packaging(name), ...(operation ? operationEntry(operation) : documentEntry(name)) }];
  });
  return {
    path: 'functions/functions.generated.yml',
    contents: `# ${GENERATED}\n${stringify(Object.fromEntries(entries), { aliasDuplicateObjects: false })}`,
  };
}

function packaging(name: string) {
  return {
    name: `\${self:service}-\${sls:stage}-${name}`,
    handler: `dist/${name}/index.handler`,
    package: { patterns: [`dist/${name}/*.cjs`] },
  };
}

function operationEntry({ summary, deploy, route }: Operation) {
  return {
    description: summary,
    timeout: deploy.timeoutSeconds,
    memorySize: deploy.memoryMb,
    iamRoleStatements: deploy.invokesLambda ? [READ_SECRET, INVOKE_TARGETS] : [READ_SECRET],
    ...(deploy.http ? { events: [httpRoute('POST', route)] } : {}),
    ...(deploy.scheduled ? { events: '${file(./scripts/schedules.cjs)}' } : {}),
  };
}

function documentEntry(name: string) {
  const { description, paths } = DOCUMENT_ROUTES[name]!;
  return { description, events: paths.map((path) => httpRoute('GET', path)), iamRoleStatements: [] };
}

function httpRoute(method: string, path: string) {
  return { httpApi: { method, path, authorizer: '${param:authorizer}' } };
}
