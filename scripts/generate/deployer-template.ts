import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

interface Policy {
  readonly Statement: readonly object[];
}

const EXAMPLES = 'docs/examples';
/** The most characters of a managed policy. References to the account are a little longer once they are resolved. */
const MOST_CHARACTERS = 5800;

/** What the examples allow of every stage, and the same of one. */
const STAGE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^arn:aws:/, 'arn:${AWS::Partition}:'],
  [/:(stack|schedule)\/mdm-stream-\*.*$/, ':$1/mdm-stream-${Stage}/*'],
  [/:(schedule-group|dashboard)\/mdm-stream-\*$/, ':$1/mdm-stream-${Stage}'],
  [/(\/aws\/http-api\/)mdm-stream-\*$/, '$1mdm-stream-${Stage}*'],
  [/^mdm-stream-\*$/, 'mdm-stream-${Stage}'], // a tag
  [/mdm-stream-boundary$/, 'mdm-stream-${Stage}-boundary'],
  [/secret:mdm-stream\/\*$/, 'secret:mdm-stream/${Stage}/*'],
  [/mdm-stream-\*/, 'mdm-stream-${Stage}-*'],
];

/**
 * The policies of deployers and the boundary for one stage, as a stack that an administrator creates in any partition.
 */
export async function deployerTemplateFile(): Promise<GeneratedFile> {
  const deployer = await readPolicy('deployer-policy');
  const boundary = await readPolicy('permissions-boundary');
  const parts = inParts(ofStage(deployer.Statement) as object[]);
  const named = parts.map((Statement, at): [string, object] => [
    `Deployer${at + 1}`,
    policyOf(`mdm-stream-\${Stage}-deployer-${at + 1}`, 'What a deployer of the stage may do', Statement),
  ]);
  const template = {
    Description: 'Policies for those who deploy one stage of mdm-stream, and the most that its roles may do',
    Parameters: { Stage: { Type: 'String', AllowedPattern: '[a-z][a-z0-9-]{0,19}' } },
    Resources: {
      Boundary: policyOf(
        'mdm-stream-${Stage}-boundary',
        'The most that a role of the stage may do',
        ofStage(boundary.Statement) as object[],
      ),
      ...Object.fromEntries(named),
    },
    Outputs: { BoundaryArn: { Description: 'The parameter permissionsBoundary', Value: { Ref: 'Boundary' } } },
  };
  return {
    path: `${EXAMPLES}/deployer.yml`,
    contents: `# ${GENERATED}\n${stringify(template, { lineWidth: 0, version: '1.1' })}`,
  };
}

async function readPolicy(name: string): Promise<Policy> {
  return JSON.parse(await readFile(`${EXAMPLES}/${name}.json`, 'utf8')) as Policy;
}

function policyOf(name: string, Description: string, Statement: readonly object[]) {
  return {
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: {
      ManagedPolicyName: { 'Fn::Sub': name },
      Description,
      PolicyDocument: { Version: '2012-10-17', Statement },
    },
  };
}

/** Statements in as many policies as their size demands. */
function inParts(statements: readonly object[]): object[][] {
  const parts: object[][] = [[]];
  for (const statement of statements) {
    const last = parts.at(-1)!;
    if (JSON.stringify([...last, statement]).length > MOST_CHARACTERS) parts.push([statement]);
    else last.push(statement);
  }
  return parts;
}

/** The same value, its names of resources for one stage. */
function ofStage(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = STAGE_PATTERNS.reduce((changed, [from, to]) => changed.replace(from, to), value);
    return text === value ? value : { 'Fn::Sub': text };
  }
  if (Array.isArray(value)) return value.map((item: unknown) => ofStage(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, ofStage(inner)]));
}
