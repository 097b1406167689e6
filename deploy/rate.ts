import { Cron } from 'croner';

/** The gaps between successive runs of a schedule, in minutes. */
export interface Gaps {
  readonly least: number;
  readonly most: number;
}

const MINUTES_OF: Record<string, number> = { minute: 1, hour: 60, day: 1440 };
const MINUTE_MS = 60_000;
/** Number of runs of a cron expression to look at: enough for a weekend after the busiest usual week. */
const RUNS_LOOKED_AT = 800;
/** A Thursday before a month's end, so that a few runs include a weekend. */
const LOOKED_AT_FROM = new Date('2027-01-28T00:00:00Z');

/**
 * The gaps between the runs of a schedule.
 *
 * @param rate a rate of EventBridge Scheduler, `rate(5 minutes)` or `cron(0 8 ? * MON-FRI *)`, in UTC
 * @returns undefined for any other text, or if it runs less than twice
 */
export function gapsOf(rate: string): Gaps | undefined {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rate) ?? [];
  if (count) {
    const minutes = Number(count) * MINUTES_OF[unit!]!;
    return { least: minutes, most: minutes };
  }
  const [, expression] = /^cron\((.*)\)$/.exec(rate) ?? [];
  return expression === undefined ? undefined : gapsOfCron(expression);
}

function gapsOfCron(expression: string): Gaps | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 6) return undefined;
  const [minute, hour, dayOfMonth, month, dayOfWeek, year] = fields as [string, string, string, string, string, string];
  const pattern = [
    '0',
    fromStep(minute, 59),
    fromStep(hour, 23),
    fromStep(dayOfMonth, 31),
    fromStep(month, 12),
    fromSunday(dayOfWeek),
    fromStep(year, 2199),
  ].join(' ');
  try {
    const times = new Cron(pattern.replaceAll('?', '*'), { timezone: 'UTC', paused: true })
      .nextRuns(RUNS_LOOKED_AT, LOOKED_AT_FROM)
      .map((time) => time.getTime() / MINUTE_MS);
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    return gaps.length > 0 ? { least: Math.min(...gaps), most: Math.max(...gaps) } : undefined;
  } catch {
    return undefined; // no cron expression
  }
}

/** AWS writes `5/10`, others `5-59/10`. */
const fromStep = (field: string, last: number) => field.replace(/(^|,)(\d+)\//g, `$1$2-${last}/`);

/** For AWS Sunday is 1, for others 0. */
const fromSunday = (field: string) =>
  field.replace(/(#\d)|\d/g, (digit, nth?: string) => nth ?? String(Number(digit) - 1));
