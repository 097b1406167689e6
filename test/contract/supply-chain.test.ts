import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { permissions?: Record<string, string>; steps: { uses?: string; run?: string; env?: object; with?: object }[] }
  >;
}

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});

it('npm runs no install script, neither of a dependency nor of this project', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true');
  expect(Object.keys(scripts).filter((name) => /^(pre|post|prepare)|install/.test(name))).toEqual([]);
});

describe.each(workflows)('the workflow $name', ({ text, workflow }) => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('a workflow pins every action to a commit, with its version in a comment', () => {
    for (const [line] of text.matchAll(/uses: .*/g))
      expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('workflows may only read, except to make a release', () => {
    const rights = [workflow.permissions, ...Object.values(workflow.jobs).map(({ permissions = {} }) => permissions)];
    const writing = rights.flatMap((each) => Object.entries(each)).filter(([, right]) => right !== 'read');

    expect(workflow.permissions).toBeDefined();
    expect(writing).toEqual(workflow.permissions.contents === 'read' ? [] : [['contents', 'write']]);
  });

  it('a workflow gives its token to no step that installs or builds', () => {
    for (const { uses, with: given } of steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'))) {
      expect([uses, given]).toEqual([uses, { 'persist-credentials': false }]);
    }
    const withToken = steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('token'));
    expect(withToken.map(({ run }) => run?.split(' ').slice(0, 3).join(' '))).toEqual(
      workflow.permissions.contents === 'read' ? [] : ['gh release create'],
    );
  });

  it('a workflow runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

    for (const [, script] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  });
});

it('advisories and signatures are checked every week', () => {
  const { text } = workflows.find(({ name }) => name === 'advisories.yml')!;

  expect(text).toMatch(/cron: '\d+ \d+ \* \* \d'/);
  expect(text).toContain('npm audit signatures');
});
