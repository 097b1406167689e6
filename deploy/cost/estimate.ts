import { alarmResources } from '../alarms.ts';
import type { Deployment } from '../parameters.ts';
import { readParameters } from '../read-parameters.ts';
import listPrices from './prices.json' with { type: 'json' };
import type { Use } from './sizes.ts';

/** Prices of several regions, with their date. */
export type PriceList = typeof listPrices;
export type Region = keyof PriceList['regions'];
export type Prices = PriceList['regions'][Region];
export type Monitoring = Deployment['monitoring'];

/** One part of a month's cost. */
export interface Cost {
  readonly part: string;
  /** The amount, in words. */
  readonly amount: string;
  readonly usd: number;
}

const HOURS = 730;
const MEMORY_GB = 0.5;
/** Milliseconds that a function works besides waiting. */
const OWN_MS = 15;
const CONCURRENCY = 10;
const KB_A_GB = 1_000_000;
/** Size of a call's log lines: those of Lambda, the function and the API. */
const LOG_KB_A_CALL = 0.9;
const MINUTES_A_MONTH = HOURS * 60;
/** Metrics of a run, for the function and, with `full`, for each stream and group; `runs` is one more. */
const METRICS_OF_A_RUN = 16;
/** With `full`: failures by type, and refused logins. */
const METRICS_OF_FAILURES = 10;
/** Commands of an entry: added, read, acknowledged, and the consumer's scripts. */
const COMMANDS_A_RECORD = 5;
const ENDPOINTS = 3; // Secrets Manager, CloudWatch Logs, Lambda
/** Share of a month's records that the stream holds. */
const HELD = 0.05;

/** The parts of a month's cost, by list prices. */
export function estimate(
  use: Use,
  prices: Prices = listPrices.regions['eu-central-1'],
  monitoring: Monitoring = 'full',
): Cost[] {
  const { httpCalls, records, recordKb, mdmMs } = use;
  const schedules = use.consumers * use.configRefs;
  const runs = schedules * MINUTES_A_MONTH;
  const enqueueCalls = records;
  const calls = httpCalls + enqueueCalls;
  const seconds = {
    http: (httpCalls * (OWN_MS + mdmMs)) / 1000,
    enqueue: (enqueueCalls * OWN_MS) / 1000,
    consumer: runs * 0.3 + (records * (OWN_MS + mdmMs)) / 1000 / CONCURRENCY,
  };
  const gbSeconds = (seconds.http + seconds.enqueue + seconds.consumer) * MEMORY_GB;
  const logGb = ((calls + runs) * LOG_KB_A_CALL) / KB_A_GB;
  const dataGb = ((httpCalls + records * 2) * recordKb) / KB_A_GB;
  const secretCalls = use.containers * use.configRefs * (MINUTES_A_MONTH / 5);
  const hasNat = use.network !== 'none';
  const endpointHours = use.network === 'nat and endpoints' ? ENDPOINTS * use.availabilityZones * HOURS : 0;
  const heldGb = Math.max(prices.valkeyMinimumGb, (records * HELD * recordKb) / KB_A_GB);
  const ecpu = records * COMMANDS_A_RECORD * Math.max(1, recordKb);
  const costs: Cost[] = [
    cost('Lambda, duration', gbSeconds, 'GB-seconds', prices.lambdaGbSecond),
    cost('Lambda, requests', (calls + runs) / 1e6, 'million', prices.lambdaMillionRequests),
    cost('HTTP API', calls / 1e6, 'million calls', prices.httpApiMillionCalls),
    cost(
      'Scheduler',
      Math.max(0, runs - prices.schedulerFreeInvocations) / 1e6,
      'million',
      prices.schedulerMillionInvocations,
    ),
    cost('Logs, written', logGb, 'GB', prices.logsIngestedGb),
    cost('Logs, kept 30 days', logGb, 'GB-months', prices.logsStoredGbMonth),
    cost('Metrics', metricsOf(use, monitoring), 'custom metrics', prices.customMetric),
    cost('Alarms', watchedMetrics(use, monitoring), 'metrics watched', prices.alarm),
    cost('Dashboard', monitoring === 'full' ? 1 : 0, 'dashboard', prices.dashboard),
    cost('Secrets', use.configRefs, 'secrets', prices.secret),
    cost('Secrets, reads', secretCalls / 1e4, 'ten thousand', prices.secretTenThousandCalls),
    cost('KMS, key', use.hasKmsKey ? 1 : 0, 'key', prices.kmsKey),
    cost('KMS, calls', use.hasKmsKey ? secretCalls / 1e4 : 0, 'ten thousand', prices.kmsTenThousandCalls),
    cost('NAT gateways', hasNat ? use.availabilityZones * HOURS : 0, 'hours', prices.natHour),
    cost('NAT gateways, data', hasNat ? dataGb : 0, 'GB', prices.natGb),
    cost('VPC endpoints', endpointHours, 'hours', prices.endpointHour),
    cost('VPC endpoints, data', endpointHours > 0 ? logGb : 0, 'GB', prices.endpointGb),
    cost('ElastiCache for Valkey, data', hasNat ? heldGb * HOURS : 0, 'GB-hours', prices.valkeyGbHour),
    cost('ElastiCache for Valkey, commands', hasNat ? ecpu / 1e6 : 0, 'million ECPU', prices.valkeyMillionEcpu),
    cost('Data out', Math.max(0, dataGb - prices.dataOutFreeGb), 'GB', prices.dataOutGb),
  ];
  return costs.filter(({ usd }) => usd > 0);
}

function metricsOf({ configRefs }: Use, monitoring: Monitoring): number {
  if (monitoring === 'off') return 0;
  const basic = METRICS_OF_A_RUN + 1 + 1; // runs, server failures
  return monitoring === 'basic' ? basic : basic + (METRICS_OF_A_RUN + 1) * configRefs + METRICS_OF_FAILURES;
}

/** An alarm costs for each metric that it watches. */
function watchedMetrics(use: Use, monitoring: Monitoring): number {
  const configRefs = Array.from({ length: use.configRefs }, (_, at) => `c${at}`).join();
  const commandLine = [`monitoring=${monitoring}`, `configRefs=${configRefs}`];
  const deployment = readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: {} });
  const alarms = Object.values(alarmResources(deployment)) as { Properties: { Metrics: { MetricStat?: unknown }[] } }[];
  return alarms.flatMap(({ Properties }) => Properties.Metrics.filter(({ MetricStat }) => MetricStat)).length;
}

function cost(part: string, amount: number, unit: string, price: number): Cost {
  return { part, amount: `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`, usd: amount * price };
}
