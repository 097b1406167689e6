import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool } from './tools.ts';

/** The packs of cdk-nag that read a template. */
const PACKS = ['AwsSolutionsChecks', 'ServerlessChecks', 'HIPAASecurityChecks', 'NIST80053R5Checks'];

interface Report {
  pluginReports: {
    violations: { ruleName: string; description: string; violatingConstructs: { constructPath: string }[] }[];
  }[];
}

type Make = new (...args: unknown[]) => object;

/** As much of aws-cdk-lib as is used here. */
interface Cdk {
  App: new (options: object) => { synth(): void };
  Stack: Make;
  CloudFormationValidatePlugin: Make;
  Validations: { of(app: object): { addPlugins(...plugins: object[]): void } };
}

export interface Finding {
  /** Its rule, without the resource that some rules name: `AwsSolutions-IAM5`. */
  readonly id: string;
  readonly description: string;
  /** Logical ids. */
  readonly resources: readonly string[];
}

/** What cdk-nag and the validator of aws-cdk-lib find in a template. */
export function findingsIn(templateFile: string): Finding[] {
  const cdk = tool('aws-cdk-lib') as Cdk;
  const nag = tool('cdk-nag') as Record<string, Make>;
  const { CfnInclude } = tool('aws-cdk-lib/cloudformation-include') as { CfnInclude: Make };
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  try {
    const app = new cdk.App({ outdir });
    new CfnInclude(new cdk.Stack(app, 'Stack'), 'Template', { templateFile });
    const packs = PACKS.map((name) => new nag[name]!(app));
    cdk.Validations.of(app).addPlugins(...packs, new cdk.CloudFormationValidatePlugin());
    quietly(() => app.synth());
    return read(join(outdir, 'validation-report.json'));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The synthesis prints its findings, and fails because of them; the report has them all. */
function quietly(work: () => void): void {
  const out = process.stdout.write.bind(process.stdout);
  const err = process.stderr.write.bind(process.stderr);
  process.stdout.write = () => true;
  process.stderr.write = () => true;
  try {
    work();
  } catch (error) {
    if ((error as Error).name !== 'ValidationFailed' && !/Validation failed/.test(String(error))) throw error;
  } finally {
    process.stdout.write = out;
    process.stderr.write = err;
  }
}

function read(path: string): Finding[] {
  const { pluginReports } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const found = new Map<string, { description: string; resources: Set<string> }>();
  for (const { ruleName, description, violatingConstructs } of pluginReports.flatMap(({ violations }) => violations)) {
    const id = ruleName.replace(/\[.*$/s, '');
    const known = found.get(id) ?? { description, resources: new Set<string>() };
    for (const { constructPath } of violatingConstructs) known.resources.add(constructPath.split('/').at(-1)!);
    found.set(id, known);
  }
  return [...found].map(([id, { description, resources }]) => ({ id, description, resources: [...resources] }));
}
