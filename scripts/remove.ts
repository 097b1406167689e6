import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { readArguments, ScriptError } from './arguments.ts';
import { accountOf } from './remote/account.ts';
import { runOnMachineNode } from './remote/machine-node.ts';
import { REGION_OPTION, regionOf } from './remote/region.ts';

/* npm run remove -- --stage prod: removes a deployed stack, in the region that a deployment would take. */

const ROOT = join(import.meta.dirname, '..');

const { values } = readArguments({
  command: 'npm run remove',
  about: 'Removes a deployed stack. Secrets, streams, and the logs of any stage but dev stay.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'name of the deployment, such as prod' },
    region: REGION_OPTION,
  },
  examples: ['npm run remove -- --stage prod --region eu-central-1'],
});

const { stage } = values;
if (!stage) throw new ScriptError('Name the stage: npm run remove -- --stage prod');
const region = await regionOf(values.region);
runOnMachineNode();
console.log(`Removing mdm-stream-${stage} from account ${await accountOf(region)} in ${region}`);
const args = ['node_modules/serverless/bin/serverless.js', 'remove', '--stage', stage, '--region', region];
const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) throw new ScriptError('Not all was removed');
