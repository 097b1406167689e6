import { runSettings, shards } from '#lib/contract/parameters/consumer.ts';
import { ConnectorSecret } from '#lib/config/config.schema.ts';
import { entriesASecond, usdAMillion, type RunOfConsumer } from '#deploy/cost/consumer.ts';
import { allowedOf, textOfValue } from '#deploy/parameter-values.ts';
import { DEFAULTS_IN_DEV, PARAMETERS } from '#deploy/parameters.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { allBounds, boundsOf, type Bounded } from './bounds.ts';
import type { GeneratedFile } from './generated-file.ts';
import { pageWith, tableOf } from './tables.ts';

const inCode = (value: unknown) => {
  const text = textOfValue(value);
  return text === undefined ? '–' : `\`${text}\``;
};

/** The deployment guide with its table of parameters made anew. */
export function deployGuideFile(): Promise<GeneratedFile> {
  const rows = Object.entries(PARAMETERS).map(([name, schema]) => {
    const inDev = name in DEFAULTS_IN_DEV ? `, in dev ${inCode(DEFAULTS_IN_DEV[name])}` : '';
    return [inCode(name), inCode(schema.default) + inDev, schema.description ?? '', allowedOf(schema)];
  });
  return pageWith('docs/deploy.md', { parameters: tableOf(['parameter', 'default', 'meaning', 'allowed'], rows) });
}

/** The guide to the consumer with its tables of settings and of memory made anew. */
export function consumerGuideFile(): Promise<GeneratedFile> {
  const settings: Record<string, Bounded> = { ...shards, ...runSettings };
  const inSecret = { ...ConnectorSecret.properties.ingest.properties } as Record<string, Bounded>;
  const rows = Object.entries(settings).map(([name, setting]) => {
    const standard = setting.default ?? inSecret[name]?.default;
    const fallback = standard === undefined ? '–' : `\`${JSON.stringify(standard)}\``;
    return [`\`${name}\``, fallback, boundsOf(setting, name) ?? '', setting.description ?? ''];
  });
  return pageWith('docs/consumer.md', {
    settings: tableOf(['setting', 'default', 'allowed', 'meaning'], rows),
    memory: memoryTable((run) => Math.round(entriesASecond(run)).toLocaleString('en')),
  });
}

const MEMORIES_MB = [512, 1024, 1769, 3008];
const LATENCIES_MS = [10, 50, 200];
const CONCURRENCY = 50;

/** The page of cost with what a million entries cost, by memory. */
export function costPage(): Promise<GeneratedFile> {
  return pageWith('docs/cost.md', { memory: memoryTable((run) => `${(usdAMillion(run) * 100).toFixed(1)} cents`) });
}

/** What the memory of the consumer gives, for three latencies. */
function memoryTable(cell: (run: RunOfConsumer) => string): string {
  const rows = MEMORIES_MB.map((memoryMb) => [
    `${memoryMb.toLocaleString('en')} MB`,
    ...LATENCIES_MS.map((latencyMs) => cell({ memoryMb, latencyMs, concurrency: CONCURRENCY })),
  ]);
  return tableOf(['`consumerMemory`', ...LATENCIES_MS.map((ms) => `MDM of ${ms} ms`)], rows);
}

/** The page of limits with the bounds of parameters and of the secret made anew; a test checks its other numbers. */
export function limitsPage(registry: readonly Operation[]): Promise<GeneratedFile> {
  const members = allBounds(ConnectorSecret as Bounded).filter(([path]) => !path.startsWith('ingest.consumer.'));
  return pageWith('docs/limits.md', {
    parameters: tableOf(['parameter', 'allowed', 'of'], boundsOfParameters(registry)),
    secret: tableOf(
      ['member', 'allowed'],
      members.map(([path, bounds]) => [inCode(path), bounds]),
    ),
  });
}

/** Bounds of parameters that operations share are one row. */
function boundsOfParameters(registry: readonly Operation[]): string[][] {
  const operations = new Map<string, Set<string>>();
  for (const { name, input } of registry.filter(({ deploy }) => !deploy.scheduled)) {
    for (const [path, bounds] of allBounds(input)) {
      const row = `\`${path.replace(/^.*\[?\]?\./, '')}\`\0${bounds}`;
      operations.set(row, (operations.get(row) ?? new Set()).add(name));
    }
  }
  return [...operations].map(([row, names]) => {
    const users = names.size > 4 ? `${names.size} operations` : [...names].map((name) => `\`${name}\``).join(', ');
    return [...row.split('\0'), users];
  });
}
