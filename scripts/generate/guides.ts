import { runSettings, shards } from '#lib/contract/parameters/consumer.ts';
import { ConnectorSecret } from '#lib/runtime/config.schema.ts';
import { PARAMETERS } from '#deploy/parameters.ts';
import { boundsOf, type Bounded } from './bounds.ts';
import type { GeneratedFile } from './generated-file.ts';
import { pageWith, tableOf } from './tables.ts';

/** The deployment guide with its table of parameters made anew. */
export function deployGuideFile(): Promise<GeneratedFile> {
  const rows = Object.entries(PARAMETERS).map(([name, parameter]) => {
    const fallback = 'default' in parameter ? `\`${parameter.default}\`` : '–';
    const inDev = 'defaultInDev' in parameter ? `, in dev \`${parameter.defaultInDev}\`` : '';
    return [`\`${name}\``, fallback + inDev, parameter.description, parameter.allowed];
  });
  return pageWith('docs/deploy.md', 'parameters', tableOf(['parameter', 'default', 'meaning', 'allowed'], rows));
}

/** The guide to the consumer with its table of settings made anew. */
export function consumerGuideFile(): Promise<GeneratedFile> {
  const settings: Record<string, Bounded> = { ...shards, ...runSettings };
  const inSecret = { ...ConnectorSecret.properties.ingest.properties } as Record<string, Bounded>;
  const rows = Object.entries(settings).map(([name, setting]) => {
    const standard = setting.default ?? inSecret[name]?.default;
    const fallback = standard === undefined ? '–' : `\`${JSON.stringify(standard)}\``;
    return [`\`${name}\``, fallback, boundsOf(setting, name) ?? '', setting.description ?? ''];
  });
  return pageWith('docs/consumer.md', 'settings', tableOf(['setting', 'default', 'allowed', 'meaning'], rows));
}
