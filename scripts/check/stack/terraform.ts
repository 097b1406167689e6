import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ScriptError } from '../../arguments.ts';
import { ROOT } from '../../build/root.ts';

const run = promisify(execFile);
const MOST_OUTPUT = 64 * 1024 * 1024;

const IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>arn:aws:iam::123456789012:user/plan</Arn><UserId>plan</UserId><Account>123456789012</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>`;

/** What the module makes of its variables. */
interface Understood {
  readonly faults: string[];
  /** Names of the functions that it deploys. */
  readonly deployed: string[];
}

interface Planned {
  readonly planned_values: { readonly outputs: { readonly understood: { readonly value: Understood } } };
}

/** The module's variable for a parameter: `consumer_rate`. */
export const variableOf = (parameter: string) => parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The one that is installed. */
const toolHere = () => ['tofu', 'terraform'].find((name) => spawnSync(name, ['version']).status === 0);

/** How the module understands these variables; its file for that needs no provider. Undefined without a tool. */
export async function understoodOf(variables: object): Promise<Understood | undefined> {
  const tool = toolHere();
  if (tool === undefined) return undefined;
  const folder = join(ROOT, '.build/stack/parameters');
  mkdirSync(folder, { recursive: true });
  for (const file of ['parameters.tf', 'variables.tf']) copyFileSync(join(ROOT, 'terraform', file), join(folder, file));
  const locals = { raw: '${file("${var.assets}/manifest.json")}', manifest: '${jsondecode(local.raw)}' };
  const output = { understood: { value: { faults: '${local.parameter_faults}', deployed: '${local.deployed}' } } };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify({ locals, output }));
  writeFileSync(join(folder, 'terraform.tfvars.json'), JSON.stringify(variables));
  const call = (...args: string[]) => run(tool, args, { cwd: folder, maxBuffer: MOST_OUTPUT });
  await call('plan', '-no-color', '-input=false', '-out=plan.bin');
  const plan = JSON.parse((await call('show', '-json', 'plan.bin')).stdout) as Planned;
  return plan.planned_values.outputs.understood.value;
}

/**
 * What OpenTofu or Terraform would make of the module, as the JSON of its plan. The only call to AWS is answered here.
 * Undefined if neither is installed, or the provider cannot be had.
 */
export async function planOf(variables: object): Promise<object | undefined> {
  const tool = toolHere();
  if (tool === undefined) return undefined;
  const folder = join(ROOT, '.build/stack/terraform');
  mkdirSync(folder, { recursive: true });
  const sts = createServer((_, response) => response.setHeader('content-type', 'text/xml').end(IDENTITY));
  await once(sts.listen(0, '127.0.0.1'), 'listening');
  const { port } = sts.address() as AddressInfo;
  const provider = {
    region: 'eu-central-1',
    access_key: 'plan',
    secret_key: 'plan',
    skip_credentials_validation: true,
    skip_metadata_api_check: true,
    skip_requesting_account_id: true,
    endpoints: { sts: `http://127.0.0.1:${port}` },
  };
  const source = relative(folder, join(ROOT, 'terraform'));
  const main = { provider: { aws: provider }, module: { mdm: { source, ...variables } } };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(main));
  const call = (...args: string[]) => run(tool, args, { cwd: folder, maxBuffer: MOST_OUTPUT });
  try {
    const { stderr, failed } = await call('init', '-backend=false', '-no-color', '-input=false').then(
      () => ({ stderr: '', failed: false }),
      (error: { stderr: string }) => ({ stderr: error.stderr, failed: true }),
    );
    if (failed) {
      console.log(`The Terraform module is not planned here: ${stderr.trim().slice(0, 500)}`);
      return undefined;
    }
    await call('plan', '-no-color', '-input=false', '-out=plan.bin').catch((error: { stderr: string }) => {
      throw new ScriptError(`The Terraform module cannot be planned:\n${error.stderr}`);
    });
    return JSON.parse((await call('show', '-json', 'plan.bin')).stdout) as object;
  } finally {
    sts.close();
  }
}
