/*
 * CloudWatch as an alarm meets it: metrics, metric math, and the evaluation of an alarm, by AWS's user guide
 * ("Alarm evaluation", "Configuring how CloudWatch alarms treat missing data", "Using metric math"). Times are minutes.
 */

/** A metric with its dimensions, as one text. */
type SeriesName = string;

/** What was measured in one minute. */
interface Datapoint {
  minute: number;
  sum: number;
  maximum: number;
  /** From when on CloudWatch shows it. */
  shownAt: number;
}

type Dimensions = readonly { readonly Name: string; readonly Value: string }[];

/** `Properties` of an `AWS::CloudWatch::Alarm`, references resolved. */
export interface AlarmProperties {
  AlarmDescription: string;
  Metrics: {
    Id: string;
    ReturnData: boolean;
    Expression?: string;
    MetricStat?: {
      Metric: { Namespace: string; MetricName: string; Dimensions: Dimensions };
      Period: number;
      Stat: 'Sum' | 'Maximum';
    };
  }[];
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  Threshold: number;
  TreatMissingData: 'breaching' | 'notBreaching';
}

/** What AWS does not publish: an alarm has to do its work either way. */
export interface Unpublished {
  /** Periods that an evaluation looks back beyond those of the alarm. */
  readonly furtherPeriods: number;
  /** Whether FILL makes values for a metric that has none at all in the time looked at. */
  readonly fillsEmpty: boolean;
}

/** All metrics of a day. */
export class Metrics {
  readonly #series = new Map<SeriesName, Map<number, Datapoint>>();

  add(name: SeriesName, value: number, minute: number, shownAt: number): void {
    const series = this.#series.get(name) ?? new Map<number, Datapoint>();
    this.#series.set(name, series);
    const point = series.get(minute) ?? { minute, sum: 0, maximum: -Infinity, shownAt: 0 };
    series.set(minute, point);
    point.sum += value;
    point.maximum = Math.max(point.maximum, value);
    point.shownAt = Math.max(point.shownAt, shownAt);
  }

  /** The statistic of each period that has data; period 0 is the one that ends at `now`. */
  periods({ Metric, Period, Stat }: MetricStat, now: number, count: number): Series {
    const minutes = Period / 60;
    const series = this.#series.get(nameOf(Metric));
    const values: Series = new Map();
    if (!series) return values;
    const from = now - count * minutes;
    const add = ({ minute, sum, maximum, shownAt }: Datapoint) => {
      if (minute < from || minute >= now || shownAt > now) return;
      const period = Math.floor((now - 1 - minute) / minutes);
      const known = values.get(period);
      values.set(period, Stat === 'Sum' ? (known ?? 0) + sum : Math.max(known ?? -Infinity, maximum));
    };
    if (series.size < now - from) for (const point of series.values()) add(point);
    else
      for (let minute = from; minute < now; minute++) {
        const point = series.get(minute);
        if (point) add(point);
      }
    return values;
  }
}

type MetricStat = NonNullable<AlarmProperties['Metrics'][number]['MetricStat']>;
/** Values by period. */
type Series = Map<number, number>;

export const seriesName = (namespace: string, name: string, dimensions: Dimensions): SeriesName =>
  [namespace, name, ...dimensions.map(({ Name, Value }) => `${Name}=${Value}`).sort()].join(' ');

const names = new WeakMap<MetricStat['Metric'], SeriesName>();

/** The name of what an alarm watches, which it looks up thousands of times. */
function nameOf(metric: MetricStat['Metric']): SeriesName {
  const name = names.get(metric) ?? seriesName(metric.Namespace, metric.MetricName, metric.Dimensions);
  names.set(metric, name);
  return name;
}

/** Whether an alarm rings by what is shown at a minute. */
export function isRinging(alarm: AlarmProperties, metrics: Metrics, now: number, unpublished: Unpublished): boolean {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, TreatMissingData } = alarm;
  const range = EvaluationPeriods + unpublished.furtherPeriods;
  const compared = comparedSeries(alarm, metrics, now, range, unpublished);
  const newest = [...compared.keys()].sort((a, b) => a - b).slice(0, EvaluationPeriods);
  const breaching = newest.filter((period) => isBreaching(compared.get(period)!, alarm)).length;
  const filled = TreatMissingData === 'breaching' ? EvaluationPeriods - newest.length : 0;
  return breaching + filled >= DatapointsToAlarm;
}

/** How often an alarm is evaluated. */
export function evaluatedEvery({ Metrics: queries, EvaluationPeriods }: AlarmProperties): number {
  const minutes = Math.max(...queries.map(({ MetricStat }) => (MetricStat?.Period ?? 0) / 60));
  return minutes * EvaluationPeriods > 1440 ? 60 : 1;
}

function isBreaching(value: number, { ComparisonOperator, Threshold }: AlarmProperties): boolean {
  return ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold;
}

function comparedSeries(
  { Metrics: queries }: AlarmProperties,
  metrics: Metrics,
  now: number,
  range: number,
  unpublished: Unpublished,
): Series {
  const known = new Map<string, Series>();
  for (const { Id, MetricStat } of queries) if (MetricStat) known.set(Id, metrics.periods(MetricStat, now, range));
  const returned = queries.filter(({ ReturnData }) => ReturnData);
  if (returned.length !== 1) throw new Error('an alarm watches one time series');
  const [{ Id, Expression }] = returned as [(typeof returned)[0]];
  return Expression === undefined ? known.get(Id)! : new Expressions(Expression, known, range, unpublished).value();
}

type Value = number | Series;

/** An alarm is evaluated thousands of times. */
const tokens = new Map<string, readonly string[]>();

function tokensOf(text: string): readonly string[] {
  const known = tokens.get(text) ?? text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|>=|<=|==|[-+*/<>(),[\]]/g) ?? [];
  tokens.set(text, known);
  return known;
}

/** Metric math, as much of it as alarms of ours use; anything else is refused. */
class Expressions {
  readonly #tokens: string[];
  readonly #known: Map<string, Series>;
  readonly #range: number;
  readonly #unpublished: Unpublished;

  constructor(text: string, known: Map<string, Series>, range: number, unpublished: Unpublished) {
    this.#tokens = [...tokensOf(text)];
    this.#known = known;
    this.#range = range;
    this.#unpublished = unpublished;
  }

  value(): Series {
    const value = this.#or();
    if (typeof value === 'number' || this.#tokens.length > 0) throw new Error('no expression of a time series');
    return value;
  }

  #take(token?: string): string {
    const next = this.#tokens.shift();
    if (next === undefined || (token !== undefined && next !== token)) throw new Error(`expected ${token}: ${next}`);
    return next;
  }

  #chain(operators: Record<string, (a: number, b: number) => number>, operand: () => Value): Value {
    let left = operand();
    while (this.#tokens[0] !== undefined && this.#tokens[0] in operators) {
      left = combine(left, operators[this.#take()]!, operand.call(this));
    }
    return left;
  }

  readonly #or = (): Value => this.#chain({ OR: (a, b) => Number(a !== 0 || b !== 0) }, this.#and);
  readonly #and = (): Value => this.#chain({ AND: (a, b) => Number(a !== 0 && b !== 0) }, this.#comparison);
  readonly #comparison = (): Value =>
    this.#chain(
      {
        '>=': (a, b) => Number(a >= b),
        '<=': (a, b) => Number(a <= b),
        '==': (a, b) => Number(a === b),
        '<': (a, b) => Number(a < b),
        '>': (a, b) => Number(a > b),
      },
      this.#sum,
    );
  readonly #sum = (): Value => this.#chain({ '+': (a, b) => a + b, '-': (a, b) => a - b }, this.#product);
  readonly #product = (): Value => this.#chain({ '*': (a, b) => a * b, '/': (a, b) => a / b }, this.#operand);

  readonly #operand = (): Value => {
    const token = this.#take();
    if (token === '(') {
      const value = this.#or();
      this.#take(')');
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (this.#tokens[0] !== '(') {
      const series = this.#known.get(token);
      if (!series) throw new Error(`${token} is no metric of the alarm`);
      return series;
    }
    this.#take('(');
    const value = this.#call(token);
    this.#take(')');
    return value;
  };

  #call(name: string): Value {
    if (name === 'SUM' || name === 'MAX') {
      const combined = { SUM: (a: number, b: number) => a + b, MAX: (a: number, b: number) => Math.max(a, b) }[name];
      this.#take('[');
      const list = this.#list();
      this.#take(']');
      return list.reduce((left, right) => combine(left, combined, right));
    }
    const [first, second, third] = this.#list();
    if (name === 'FILL' && first instanceof Map && typeof second === 'number') return this.#fill(first, second);
    if (name === 'IF' && first instanceof Map && typeof second === 'number' && typeof third === 'number') {
      return new Map([...first].map(([period, value]) => [period, value === 0 ? third : second]));
    }
    throw new Error(`${name} is not known with such arguments`);
  }

  #fill(series: Series, value: number): Series {
    if (series.size === 0 && !this.#unpublished.fillsEmpty) return series;
    return new Map(Array.from({ length: this.#range }, (_, period) => [period, series.get(period) ?? value]));
  }

  #list(): Value[] {
    const list = [this.#or()];
    while (this.#tokens[0] === ',') {
      this.#take();
      list.push(this.#or());
    }
    return list;
  }
}

/** A value that one of two series lacks is 0; what divides by 0 is dropped. */
function combine(left: Value, operator: (a: number, b: number) => number, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return operator(left, right);
  const at = (value: Value, period: number) => (typeof value === 'number' ? value : (value.get(period) ?? 0));
  const values: Series = new Map();
  for (const series of [left, right]) {
    if (typeof series === 'number') continue;
    for (const period of series.keys()) {
      if (!values.has(period)) values.set(period, operator(at(left, period), at(right, period)));
    }
  }
  for (const [period, value] of values) if (!Number.isFinite(value)) values.delete(period);
  return values;
}
