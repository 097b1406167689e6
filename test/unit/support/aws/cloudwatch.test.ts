import { expect, it } from '@jest/globals';
import { isRinging, Metrics, seriesName, type AlarmProperties } from '#test/support/aws/cloudwatch.ts';

/*
 * The examples of AWS's user guide, "How alarm state is evaluated when data is missing": 0 is not breaching, X
 * breaching.
 */

const metric = { Namespace: 'N', MetricName: 'm', Dimensions: [] };
const alarm: AlarmProperties = {
  AlarmDescription: '',
  EvaluationPeriods: 3,
  DatapointsToAlarm: 3,
  TreatMissingData: 'notBreaching',
  Metrics: [{ Id: 'm', ReturnData: true, MetricStat: { Metric: metric, Period: 300, Stat: 'Sum' } }],
  ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  Threshold: 1,
};

function rings(points: string, more: Partial<AlarmProperties>): boolean {
  const metrics = new Metrics();
  const values = points.split(' ');
  values.forEach((value, at) => {
    if (value !== '-') metrics.add(seriesName('N', 'm', []), Number(value === 'X'), at * 5 + 2, 0);
  });
  return isRinging({ ...alarm, ...more }, metrics, values.length * 5, { furtherPeriods: 2, fillsEmpty: true });
}

it.each([
  ['0 - X - X', 3, false, false],
  ['0 - - - -', 3, false, false],
  ['- - - - -', 3, true, false],
  ['0 X X - X', 3, true, true],
  ['- - X - -', 3, true, false],
  ['0 - X - X', 2, true, true],
  ['0 0 X 0 X', 2, true, true],
  ['0 - X - -', 2, true, false],
  ['- - - - 0', 2, true, false],
  ['- - - X -', 2, true, false],
])(
  'the CloudWatch evaluates %s, %d of 3: if missing is breaching %s, if not %s',
  (points, DatapointsToAlarm, bad, good) => {
    expect(rings(points, { DatapointsToAlarm, TreatMissingData: 'breaching' })).toBe(bad);
    expect(rings(points, { DatapointsToAlarm })).toBe(good);
  },
);

it('the CloudWatch evaluates the period that ends now, not a clock-aligned one', () => {
  const metrics = new Metrics();
  metrics.add(seriesName('N', 'm', []), 1, 3, 0);
  const once = { ...alarm, EvaluationPeriods: 1, DatapointsToAlarm: 1 };
  const at = (now: number) => isRinging(once, metrics, now, { furtherPeriods: 0, fillsEmpty: true });

  expect([3, 4, 8, 9].map(at)).toEqual([false, true, true, false]);
});

/* The table of "Using metric math", with the two metrics of its example. */
it.each([
  ['first < second', '0 0 1 0'],
  ['first >= 30', '1 0 0 0'],
  ['first > 15 AND second > 15', '1 0 0 0'],
  ['IF(first, 5, 2)', '5 5 2 2'],
  ['FILL(second, 7) - first', '-10 -13 20 7'],
  ['SUM([first, second])', '50 20 20 0'],
])('the CloudWatch computes %s', (Expression, values) => {
  const metrics = new Metrics();
  [30, 20, 0, 0].forEach((value, minute) => metrics.add(seriesName('N', 'first', []), value, minute, 0));
  [20, undefined, 20].forEach(
    (value, at) => value !== undefined && metrics.add(seriesName('N', 'second', []), value, at, 0),
  );
  const stat = (name: string) => ({ Metric: { ...metric, MetricName: name }, Period: 60, Stat: 'Sum' as const });
  const queries = [
    { Id: 'first', ReturnData: false, MetricStat: stat('first') },
    { Id: 'second', ReturnData: false, MetricStat: stat('second') },
    { Id: 'compared', ReturnData: true, Expression },
  ];

  values.split(' ').forEach((value, at) => {
    const isAtLeast = (Threshold: number) =>
      isRinging(
        { ...alarm, Metrics: queries, EvaluationPeriods: 1, DatapointsToAlarm: 1, Threshold },
        metrics,
        at + 1,
        { furtherPeriods: 0, fillsEmpty: true },
      );
    expect([isAtLeast(Number(value)), isAtLeast(Number(value) + 0.5)]).toEqual([true, false]);
  });
});
