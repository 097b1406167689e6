import { byGroup } from '#lib/contract/groups.ts';
import type { Operation } from '#lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The stack of the examples. Operators replace region, account, API and function names. */
const ACCOUNT = 'eu-central-1:123456789012';
const API = `arn:aws:execute-api:${ACCOUNT}:a1b2c3d4e5/$default/POST`;
const FUNCTIONS = `arn:aws:lambda:${ACCOUNT}:function:mdm-stream-prod`;

/** Callers, and the operations that each may call. */
const CALLERS: Record<string, (operation: Operation) => boolean | undefined> = {
  reader: ({ readOnly }) => readOnly,
  writer: ({ group, readOnly }) => readOnly || group !== 'consumer',
  operator: ({ group, readOnly }) => readOnly || group === 'consumer',
};

/** An IAM policy for each kind of caller, over HTTP and by direct invocation. */
export function callerPolicyFiles(registry: readonly Operation[]): GeneratedFile[] {
  return Object.entries(CALLERS).map(([caller, mayCall]) => {
    const operations = byGroup(registry).filter(mayCall);
    const routes = operations.filter(({ deploy }) => deploy.http);
    const policy = {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'GeneratedByNpmRunGenerateHttp',
          Effect: 'Allow',
          Action: 'execute-api:Invoke',
          Resource: routes.map(({ route }) => API + route),
        },
        {
          Sid: 'GeneratedByNpmRunGenerateInvoke',
          Effect: 'Allow',
          Action: 'lambda:InvokeFunction',
          Resource: operations.map(({ name }) => `${FUNCTIONS}-${name}`),
        },
      ],
    };
    return { path: `docs/examples/callers/${caller}.json`, contents: JSON.stringify(policy) };
  });
}
