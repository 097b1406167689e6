import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parametersOf, type DeployedTemplate } from '#deploy/deployed-parameters.ts';
import { storedParametersOf, type StoredParameters } from '#deploy/parameter-changes.ts';
import { readParametersFile } from '#deploy/parameters-file.ts';
import type { Deployment } from '#deploy/parameters.ts';
import { readParameters, type GivenParameters } from '#deploy/read-parameters.ts';
import { attempt } from '../arguments.ts';

const SERVERLESS_YML = join(import.meta.dirname, '../../serverless.yml');

interface Given {
  readonly stage: string;
  readonly region?: string;
  /** Default: that of serverless.yml. */
  readonly service?: string;
  /** Each `--param`: `name=value`. */
  readonly commandLine: readonly string[];
  /** The parameters file. Default: `deploy/<stage>.yml`, if there is one. */
  readonly parameters?: string;
}

/**
 * The deployment that is given: on the command line, in the parameters file, and in serverless.yml.
 *
 * @throws {ScriptError} names every invalid parameter
 */
export function readDeployment({ stage, region, service, commandLine, parameters }: Given): Deployment {
  const config = parse(readFileSync(SERVERLESS_YML, 'utf8')) as Pick<GivenParameters, 'service'> & {
    params?: GivenParameters['blocks'];
  };
  const { params: blocks = {} } = config;
  const file = attempt(() => readParametersFile(stage, parameters));
  return attempt(() =>
    readParameters({ service: service ?? config.service, stage, region, commandLine, file, blocks }),
  );
}

/** The parameters of a deployed stack. */
export function storedParametersIn(
  template: DeployedTemplate,
  { service, stage }: Pick<Deployment, 'service' | 'stage'>,
): StoredParameters {
  return parametersOf(template, storedParametersOf(readParameters({ service, stage, commandLine: [], blocks: {} })));
}
