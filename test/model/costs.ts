import priceList from '#deploy/cost/prices.json' with { type: 'json' };

const prices = priceList.regions['us-east-1'];

const MEMORY_GB = 0.5;
/** What a run writes: its own line, and Lambda's START, END and REPORT; and what a failed attempt writes. */
const RUN_LOG_KB = 0.9;
const FAILURE_LOG_KB = 0.3;
const KB_A_GB = 1_000_000;
/** Metrics of a run, by stream and group, and by function. */
const METRICS = 2 * 14;
const DAYS_A_MONTH = 30.4;

/** What the consumer did in a day. */
export interface Used {
  invocations: number;
  billedMs: number;
  /** Failed attempts. */
  failures: number;
  /** Invocations by the scheduler. */
  scheduled: number;
}

/** What a day of the consumer costs in dollars, part by part, by list prices. */
export function costsOf({ invocations, billedMs, failures, scheduled }: Used): Record<string, number> {
  const logGb = (invocations * RUN_LOG_KB + failures * FAILURE_LOG_KB) / KB_A_GB;
  return {
    duration: (billedMs / 1000) * MEMORY_GB * prices.lambdaGbSecond,
    requests: (invocations / 1e6) * prices.lambdaMillionRequests,
    scheduler: (scheduled / 1e6) * prices.schedulerMillionInvocations,
    logs: logGb * (prices.logsIngestedGb + prices.logsStoredGbMonth),
    metrics: (METRICS * prices.customMetric) / DAYS_A_MONTH,
  };
}

/** `$0.031 (duration 0.023, requests 0.001, …)`, sums in dollars. */
export function describeCosts(costs: Record<string, number>): string {
  const sum = Object.values(costs).reduce((total, usd) => total + usd, 0);
  const parts = Object.entries(costs).map(([name, usd]) => `${name} ${usd.toFixed(4)}`);
  return `$${sum.toFixed(3)} a day (${parts.join(', ')})`;
}
