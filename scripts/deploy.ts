import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_STAGE } from './deploy/names.ts';

/*
 * npm run deploy -- --stage prod [--region R] [--param name=value]… [--dry-run]: builds the functions, checks and
 * packages the deployment, and deploys it. With --dry-run it stops before AWS is called; that needs no credentials.
 */

const USAGE = 'npm run deploy -- --stage STAGE [--region REGION] [--param name=value]… [--dry-run]';
const ROOT = join(import.meta.dirname, '..');
const SERVERLESS = join(ROOT, 'node_modules/serverless/bin/serverless.js');

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      region: { type: 'string' },
      param: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { stage, region, param } = values;
  if (!stage) throw new Error(`Which stage?\n\n${USAGE}`);
  if (stage === LOCAL_STAGE) throw new Error(`The stage ${LOCAL_STAGE} is that of npm start: choose another`);
  const directory = join('.serverless', stage);
  const args = [
    ...['--stage', stage, '--package', directory],
    ...(region ? ['--region', region] : []),
    ...param.flatMap((pair) => ['--param', pair]),
  ];
  run('scripts/build.ts');
  run(SERVERLESS, 'package', ...args);
  if (values['dry-run']) console.log(`Packaged into ${directory}; nothing was deployed`);
  else run(SERVERLESS, 'deploy', ...args);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(code?.startsWith('ERR_PARSE_ARGS') ? `${message}\n\n${USAGE}` : message);
  process.exitCode = 1;
}

function run(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('Nothing further was done');
}
