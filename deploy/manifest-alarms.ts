import { alarmResources, OF_CONSUMER } from './alarms.ts';
import type { Manifest } from './manifest.schema.ts';
import { shortHash } from './names.ts';
import { CONSUMER } from './operations.ts';
import type { Deployment } from './parameters.ts';

type Listed = Manifest['alarms'][number];

/** The parameters that alarms depend on. */
interface Situation {
  readonly monitoring: 'full' | 'basic';
  readonly configRefs: 'one' | 'several';
  /** Of the consumer and of the checks. */
  readonly rate: string;
}

/** The rates that the manifest has alarms for: how long an alarm looks back depends on how often runs take place. */
const RATES = ['1 minute', '2 minutes', '5 minutes', '10 minutes', '15 minutes', '30 minutes', '1 hour', '1 day'].map(
  (every) => `rate(${every})`,
);
const SITUATIONS = (['full', 'basic'] as const).flatMap((monitoring) =>
  (['one', 'several'] as const).flatMap((configRefs) =>
    RATES.map((rate): Situation => ({ monitoring, configRefs, rate })),
  ),
);
/** Stands for each of the configurations, and for the others beside it. */
const EACH = '{configRef}';
const OTHER = 'other';

/**
 * The alarms of every deployment that a reader of the manifest can make, each with the situations that it is for.
 *
 * @param usual a deployment whose service and stage stand for themselves
 */
export function listedAlarms(usual: Deployment): Listed[] {
  const found = SITUATIONS.flatMap((situation) =>
    alarmsIn(usual, situation).map((alarm) => Object.assign(alarm, { situation })),
  );
  const same = Map.groupBy(found, ({ name, properties }) => `${name} ${JSON.stringify(properties)}`);
  return [...same.values()].flatMap((alarms) => {
    const { name, properties } = alarms[0]!;
    const situations = alarms.map(({ situation }) => situation);
    const beside = OF_CONSUMER.test(name) ? [CONSUMER] : functionsIn(properties);
    return conditionsOf(name, situations).map((only) => ({
      name,
      ...(beside.length > 0 && { beside }),
      ...(Object.keys(only).length > 0 && { only }),
      properties,
    }));
  });
}

/** The functions whose metrics an alarm watches. */
function functionsIn(properties: object): string[] {
  const names = [...JSON.stringify(properties).matchAll(/"FunctionName","Value":"\{service\}-\{stage\}-([\w-]+)"/g)];
  return names.map(([, name]) => name!);
}

function alarmsIn(usual: Deployment, { monitoring, configRefs, rate }: Situation): Listed[] {
  const given = { monitoring, configRefs: configRefs === 'one' ? [EACH] : [EACH, OTHER] };
  const alarms = alarmResources({ ...usual, ...given, consumerRate: rate, checkRate: rate });
  return Object.entries(alarms)
    .filter(([id]) => !id.includes(shortHash(OTHER)))
    .map(([id, { Properties }]) => ({
      name: id.replace(shortHash(EACH), ''),
      properties: Properties as Listed['properties'],
    }));
}

/** The situations as conditions, of which one holds: for each monitoring, or for any where they are the same. */
function conditionsOf(name: string, situations: readonly Situation[]): NonNullable<Listed['only']>[] {
  const rateOf = OF_CONSUMER.test(name) ? 'consumerRate' : 'checkRate';
  const conditions = [...Map.groupBy(situations, ({ monitoring }) => monitoring)].map(([monitoring, of]) => {
    const configRefs = [...new Set(of.map((one) => one.configRefs))];
    const rates = [...new Set(of.map(({ rate }) => rate))];
    return {
      monitoring,
      only: {
        ...(configRefs.length === 1 && { configRefs }),
        ...(rates.length < RATES.length && { [rateOf]: rates }),
      },
    };
  });
  return [...Map.groupBy(conditions, ({ only }) => JSON.stringify(only)).values()].map((same) => ({
    ...(same.length === 1 && { monitoring: same.map(({ monitoring }) => monitoring) }),
    ...same[0]!.only,
  }));
}
