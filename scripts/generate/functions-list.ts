import { functions, type DeployedFunction } from '../build/functions.ts';
import { BUNDLES } from '../build/forms.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

/** functions.yml, which serverless.yml reads: every function with its handler, size and routes. */
export function functionsList(): GeneratedFile {
  const intro = [
    `# ${GENERATED}`,
    '# Every function of the bundle. A deployment adds what its parameters say: deploy/plugin.cjs.',
  ];
  return { path: 'functions.yml', contents: [...intro, ...functions.flatMap(entryOf)].join('\n') };
}

function entryOf({ name, description, operation, routes = [] }: DeployedFunction): string[] {
  const { deploy, route } = operation ?? {};
  const all = deploy ? (deploy.http ? [`POST ${route}`] : []) : routes;
  return [
    '',
    `${name}:${deploy?.usesRedis ? ' # in the VPC, if the deployment has one' : ''}`,
    `  description: ${JSON.stringify(description)}`,
    `  handler: ${BUNDLES.release}/${name}/index.handler`,
    ...(deploy ? [`  memorySize: ${deploy.memoryMb}`, `  timeout: ${deploy.timeoutSeconds}`] : []),
    ...(all.length > 0
      ? ['  events:', ...all.map((one) => `    - httpApi: ${JSON.stringify(one)}`)]
      : ['  events: []']),
  ];
}
