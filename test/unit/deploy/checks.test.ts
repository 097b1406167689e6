import { expect, it } from '@jest/globals';
import { readParameters } from '#deploy/read-parameters.ts';
import { schedulesOf } from '#deploy/schedules.ts';
import { templateOf } from '#deploy/template.ts';

const read = (...commandLine: string[]) =>
  readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: { default: {} } });
const checksIn = (...commandLine: string[]) =>
  schedulesOf(read(...commandLine)).filter(({ name }) => name.endsWith('-check'));

it('checkRate schedules both checks for each configuration', () => {
  const schedules = checksIn('checkRate=rate(15 minutes)', 'configRefs=default,emea');

  expect(schedules.map(({ name, rate, input }) => [name, rate, input.configRef])).toEqual([
    ['mdm-check', 'rate(15 minutes)', 'default'],
    ['mdm-check', 'rate(15 minutes)', 'emea'],
    ['stream-check', 'rate(15 minutes)', 'default'],
    ['stream-check', 'rate(15 minutes)', 'emea'],
  ]);
  expect(new Set(schedules.map(({ logicalId }) => logicalId)).size).toBe(4);
});

it('checkRate schedules only deployed checks, and is refused if there are none', () => {
  const names = checksIn('checkRate=rate(1 hour)', 'operations=mdm-*').map(({ name }) => name);

  expect(names).toEqual(['mdm-check']);
  expect(() => read('checkRate=rate(1 hour)', 'operations=stream-x*')).toThrow(
    /checkRate needs mdm-check or stream-check/,
  );
  expect(() => read('checkRate=often')).toThrow(/checkRate must be rate/);
});

it.each(['full', 'basic'])('a failed check raises an alarm with %s monitoring, until a check passes', (monitoring) => {
  const { resources } = templateOf(read('checkRate=rate(1 hour)', `monitoring=${monitoring}`));
  const alarm = resources.Resources!.ChecksFailingAlarm!.Properties as {
    Metrics: { MetricStat?: { Period: number; Metric: { MetricName: string; Dimensions: object[] } } }[];
    Threshold: number;
  };
  const watched = alarm.Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);

  expect(watched.map(({ Metric }) => Metric.Dimensions)).toEqual([
    [{ Name: 'FunctionName', Value: 'mdm-stream-prod-mdm-check' }],
    [{ Name: 'FunctionName', Value: 'mdm-stream-prod-stream-check' }],
  ]);
  expect(watched.every(({ Period, Metric }) => Period === 3600 && Metric.MetricName === 'Errors')).toBe(true);
  expect(alarm.Threshold).toBe(1);
});

it('a stack without checkRate has neither a schedule nor an alarm for checks', () => {
  expect(checksIn()).toEqual([]);
  expect(templateOf(read()).resources.Resources).not.toHaveProperty('ChecksFailingAlarm');
});

it.each(['stream-check', 'api-openapi'])('%s knows which operations are deployed', (name) => {
  const { functions } = templateOf(read('operations=mdm-*,api-*,stream-check,stream-consumer'));

  expect(functions[name]!.environment).toEqual({
    CONNECTOR_OPERATIONS: 'mdm-*,api-*,stream-check,stream-consumer',
  });
});
