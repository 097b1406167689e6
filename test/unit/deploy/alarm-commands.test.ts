import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { alarmResources } from '#deploy/alarms.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';

const page = readFileSync('docs/operating.md', 'utf8');
const NIGHTLY = { jobDefinitionId: 'nightly', kind: 'ingress' };
const deployment = (...commandLine: string[]) =>
  readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: {} });
const withSchedule = (...commandLine: string[]) =>
  readParameters({
    service: 'mdm-stream',
    stage: 'prod',
    commandLine,
    file: { schedules: [{ operation: 'mdm-job-start', rate: 'rate(1 day)', input: NIGHTLY }] },
    blocks: {},
  });
const alarms = Object.entries({
  ...alarmResources(deployment('checkRate=rate(15 minutes)')),
  ...alarmResources(deployment('configRefs=default,emea')),
}).map(([name, { Properties }]) => [name, (Properties as { AlarmDescription: string }).AlarmDescription] as const);
/** The sections of the page, by the fragment of their address. */
const sections = new Map(
  page.split(/^### /m).map((section) => [section.split('\n')[0]!.toLowerCase().replaceAll(' ', '-'), section]),
);

describe('the description of an alarm', () => {
  it.each(alarms)(
    "an alarm's description names the command to start with, as does its section of the page: %s",
    (_, description) => {
      const [, command, fragment] = /Start with: (.*) Then see docs\/operating\.md#([a-z]+)$/.exec(description)!;

      expect(sections.get(fragment!)).toContain(`\`\`\`sh\n${command}\n\`\`\``);
      expect(command).not.toMatch(/[<>]|localhost/);
      expect(description.length).toBeLessThanOrEqual(1024);
    },
  );
});

describe("the operators' page", () => {
  const described = new Set(alarms.map(([name]) => name.replace(/(\d+|[0-9a-f]{8})?Alarm$/, '').toLowerCase()));

  it("the operators' page has a section for each alarm, and no other", () => {
    const listed = [...sections.keys()].slice(1).filter((name) => name !== 'when-they-ring');

    expect(listed.sort()).toEqual([...described].sort());
  });

  it('names the alarms of monitoring=basic', () => {
    const basic = Object.keys(alarmResources(withSchedule('monitoring=basic', 'checkRate=rate(15 minutes)')));
    const [, listed = ''] = /`monitoring=basic` creates ([^.]*)\./.exec(page) ?? [];

    expect(listed.match(/\b[A-Z]\w+/g)!.sort()).toEqual(basic.map((name) => name.replace('Alarm', '')).sort());
  });
});

it.each(['basic', 'full'])('a nightly job that fails rings an alarm with %s monitoring', (monitoring) => {
  expect(alarmResources(withSchedule(`monitoring=${monitoring}`))).toHaveProperty('SchedulesDeadLettersAlarm');
});

describe('the commands of the pages for operators', () => {
  const pages = ['docs/operating.md', 'docs/durability.md', 'docs/guides/recover-dead-letters.md'];
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const commands = pages
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)])
    .flatMap(([, block]) => block!.trim().split('\n'));

  it.each(commands)('are for a deployed stack: %s', (command) => {
    expect(command).toMatch(/^(npm run \w+ -- (--remote )?--stage prod|aws )/);
    const [, script] = /^npm run (\w+)/.exec(command) ?? [];
    if (script) expect(scripts).toHaveProperty(script);
    const [, name, payload] = /^npm run invoke .* prod ([\w-]+) '(.*)'/.exec(command) ?? [];
    if (script === 'invoke') {
      const { input } = registry.find((operation) => operation.name === name)!;
      expect(validate(input, JSON.parse(payload!))).toEqual([]);
    }
  });
});
