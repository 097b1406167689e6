import { readFileSync } from 'node:fs';
import { startLambda, type Lambda } from '#sandbox/aws/lambda.ts';

/** How Lambda starts Node in a function of 512 MB. */
export const FLAGS_OF_512_MB = ['--max-old-space-size=460', '--max-semi-space-size=25'];

/** A container whose configurations are in this Secrets Manager, under `test/`. */
export const startContainer = (
  secrets: { readonly url: string },
  env: Record<string, string> = {},
  execArgv: readonly string[] = [],
): Promise<Lambda> =>
  startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, ...env },
    execArgv,
  });

/** The most memory that a container has taken so far, in MB. */
export function peakMbOf({ pid }: Lambda): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1024);
}
