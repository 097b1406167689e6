import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startChild, endOfLog } from './child.ts';
import { ScriptError } from '#scripts/build/script-error.ts';
import { type Lifetime } from './lifetime.ts';
import type { Ports } from './ports.ts';
import { ROOT } from '#scripts/build/root.ts';
import { SECRET_PREFIX, STAGE } from './names.ts';

/** Its display name; its log holds the logs of the functions. */
export const OFFLINE = 'serverless-offline';
const START_MS = 120_000;

/** A function to debug, and the port of its debugger. */
export interface Inspected {
  readonly name: string;
  readonly port: number;
}

export interface OfflineOptions {
  ports: Ports;
  /** Endpoint of the local Secrets Manager. */
  secretsUrl: string;
  inspected?: Inspected;
}

/** Starts serverless-offline with the functions, which are bundled on demand; resolves when the HTTP API responds. */
export async function startOffline(
  { ports, secretsUrl, inspected }: OfflineOptions,
  lifetime: Lifetime,
): Promise<void> {
  const args = [
    '--enable-source-maps',
    ...(inspected ? [`--inspect=127.0.0.1:${inspected.port}`] : []),
    join(ROOT, 'node_modules/serverless/bin/serverless.js'),
    'offline',
    'start',
    '--stage',
    STAGE,
    '--noSponsor',
    '--httpPort',
    String(ports.http),
    '--lambdaPort',
    String(ports.lambda),
    '--param',
    `secretPrefix=${SECRET_PREFIX}`,
  ];
  const env = { ...withoutAws(process.env), ...localAws(ports, secretsUrl) };
  await startChild({ name: OFFLINE, lambdaPort: ports.lambda, command: process.execPath, args, env }, lifetime);

  const startedAt = performance.now();
  while (!(await answers(`http://localhost:${ports.http}/openapi.json`))) {
    if (performance.now() - startedAt > START_MS)
      throw new ScriptError(`${OFFLINE} does not answer. ${endOfLog(OFFLINE, ports.lambda)}`);
    await wait(50);
  }
}

/** Credentials that keep the user's AWS account out of reach. */
function withoutAws(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('AWS_')));
}

function localAws(ports: Ports, secretsUrl: string): NodeJS.ProcessEnv {
  return {
    // Lambda would retry a failed asynchronous invocation; here it must not end the stack
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --unhandled-rejections=warn`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsUrl,
    AWS_ENDPOINT_URL_LAMBDA: `http://localhost:${ports.lambda}`,
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
