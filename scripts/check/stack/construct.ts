import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../build/root.ts';
import { TOOLS, tool } from './tools.ts';

interface Hcl {
  parse: (name: string, text: string) => Promise<object>;
}

interface Ec2 {
  Vpc: { fromVpcAttributes(scope: object, id: string, attributes: object): object };
  Subnet: { fromSubnetAttributes(scope: object, id: string, attributes: object): object };
}

interface Cdk {
  App: new () => { synth(): { getStackByName(name: string): { template: object } } };
  Stack: new (app: object, id: string, props: object) => object;
}

/** The network of a deployment, as properties of the construct. */
export type Network = (subnetIds: string[]) => object;

/** The template that the CDK construct makes of the zips and the manifest in a folder. */
export async function synthesise(assets: string, propsOf: (network: Network) => object): Promise<object> {
  const outfile = join(TOOLS, 'construct.mjs'); // beside the packages that it imports
  mkdirSync(TOOLS, { recursive: true });
  await build({
    entryPoints: [join(ROOT, 'deploy/cdk/index.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
  });
  const { MdmStreamFunctions } = (await import(pathToFileURL(outfile).href)) as {
    MdmStreamFunctions: new (stack: object, id: string, props: object) => object;
  };
  const cdk = tool('aws-cdk-lib') as Cdk;
  const app = new cdk.App();
  const stack = new cdk.Stack(app, 'Stack', { env: { account: '123456789012', region: 'eu-central-1' } });
  const { Vpc, Subnet } = tool('aws-cdk-lib/aws-ec2') as Ec2;
  const network: Network = (subnetIds) => ({
    vpc: Vpc.fromVpcAttributes(stack, 'Vpc', {
      vpcId: 'vpc-0a1b2c3d',
      availabilityZones: ['a'],
      privateSubnetIds: subnetIds.slice(0, 1),
    }),
    vpcSubnets: { subnets: subnetIds.map((id) => Subnet.fromSubnetAttributes(stack, id, { subnetId: id })) },
  });
  new MdmStreamFunctions(stack, 'Mdm', { assets, ...propsOf(network) });
  return app.synth().getStackByName('Stack').template;
}

/** Runs the program of the guide; gives the types of resources that it makes. */
export async function typesOfGuide(assets: string): Promise<string[]> {
  const [program = ''] = blocksOf('cdk', 'ts');
  const source = join(TOOLS, 'guide.ts');
  const outfile = join(TOOLS, 'guide.mjs');
  writeFileSync(
    source,
    `${program.replace(`'functions'`, JSON.stringify(assets))}\nexport const assembly = app.synth();\n`,
  );
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    alias: { 'mdm-stream-functions/cdk': join(ROOT, 'deploy/cdk/index.ts') },
  });
  const { assembly } = (await import(pathToFileURL(outfile).href)) as {
    assembly: { getStackByName(name: string): { template: { Resources: Record<string, { Type: string }> } } };
  };
  return Object.values(assembly.getStackByName('master-data').template.Resources).map(({ Type }) => Type);
}

/** The module block of the guide, as JSON. */
export async function callOfGuide(): Promise<object> {
  const { parse } = tool('@cdktf/hcl2json') as Hcl;
  return parse('guide.tf', blocksOf('terraform', 'hcl')[0] ?? '');
}

function blocksOf(guide: string, language: string): string[] {
  const page = readFileSync(join(ROOT, `docs/guides/${guide}.md`), 'utf8');
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);
}

/** The files of a Terraform module as JSON. It throws for one whose syntax is wrong. */
export async function readModule(folder: string): Promise<object[]> {
  const { parse } = tool('@cdktf/hcl2json') as Hcl;
  const files = readdirSync(folder).filter((name) => name.endsWith('.tf'));
  return Promise.all(files.map((name) => parse(name, readFileSync(join(folder, name), 'utf8'))));
}
