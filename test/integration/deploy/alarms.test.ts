import { afterAll, describe, expect, it } from '@jest/globals';
import { encodeChange } from '#lib/consumer/producer/source-change-entry.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { templateOf } from '#deploy/template.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';
import { evaluatedEvery, type AlarmProperties } from '../../support/aws/cloudwatch.ts';
import { iamOf } from '../../support/aws/iam.ts';
import { packageStage, type Template } from '../../support/aws/packaged-template.ts';
import { runtimesOf, type Runtimes } from '../../support/stack/runtimes.ts';
import { measure, ringsOf, SHOWN_AFTER_MINUTES, type Day, type Recorded } from '../../support/aws/scripted-day.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/*
 * Every alarm of a deployment, evaluated as CloudWatch does over scripted days. What runs and calls leave in the log
 * was written by the packaged functions, once for each way in which they end.
 */

const PREFIX = 'mdm-stream-dev-';
const CONSUMER = `${PREFIX}stream-consumer`;
const LATE = [0, 0, 1, 0, 0]; // a schedule may be a minute late
/** Either way in which CloudWatch may do what its guide does not say. */
const UNPUBLISHED = [
  { furtherPeriods: 2, fillsEmpty: true },
  { furtherPeriods: 5, fillsEmpty: false },
];

type Monitoring = 'full' | 'basic';
const mdm = { auth: { type: 'login-v3', loginUrl: 'http://127.0.0.1:1', username: 'u', password: 'p' } };
/** By what monitoring the functions were deployed with, and how they end. */
const recorded = { full: new Map<string, Recorded>(), basic: new Map<string, Recorded>() };

const fixture = await use(
  startFixture({
    secrets: (url) => ({
      default: { redis: { url }, mdm },
      emea: { redis: { url }, mdm },
    }),
  }),
);
const runtimes: Runtimes[] = [];
await record('full');
await record('basic');
afterAll(async () => {
  await Promise.all(runtimes.map((each) => each.stop()));
});

/** Runs each function once for each way in which it may end. */
async function record(monitoring: Monitoring): Promise<void> {
  const containers = runtimesOf(fixture, undefined, { CONNECTOR_METRICS: monitoring });
  runtimes.push(containers);
  const consumer = await containers.start('stream-consumer');
  const xlen = await containers.start('stream-xlen');
  const keep = async (name: string, runtime: typeof consumer, payload: object) => {
    const from = runtime.log.length;
    const { payload: text, functionError } = await runtime.invoke(JSON.stringify(payload), { timeoutMs: 60_000 });
    const { statusCode = 200 } = (JSON.parse(text) ?? {}) as { statusCode?: number };
    const lines = runtime.log.slice(from);
    recorded[monitoring].set(name, { lines, isError: functionError !== undefined, is5xx: statusCode >= 500 });
  };
  const stream = fixture.key('idle');
  await keep('default finishes', consumer, { stream, group: 'g' });
  await keep('emea finishes', consumer, { configRef: 'emea', stream, group: 'g' });
  await fixture.redis('XADD', stream, '*', 'record', 'not JSON');
  await keep('a dead letter', consumer, { stream, group: 'g' });
  const crowded = fixture.key('crowded');
  for (let n = 0; n < 40; n++) {
    const fields = encodeChange({
      businessEntity: 'e',
      sourceSystem: 's',
      sourcePKey: String(n),
      operation: 'submit',
      resolveCrosswalk: false,
      record: {},
    });
    await fixture.redis('XADD', `${crowded}:0`, '*', ...Object.entries(fields).flat());
  }
  await keep('MDM away', consumer, { stream: crowded, shards: 1, group: 'g' });
  const call = httpEvent('POST', '/stream/xlen', JSON.stringify({ key: stream }));
  await keep('a call', xlen, call);
  const xadd = await containers.start('stream-xadd');
  const add = httpEvent('POST', '/stream/xadd', JSON.stringify({ key: stream, entry: { a: '1' } }));
  await fixture.redis('CONFIG', 'SET', 'maxmemory', '1');
  await keep('a call, Redis full', xadd, add);
  await fixture.redis('CONFIG', 'SET', 'maxmemory', '0');
  for (const [name, more] of [
    ['default', {}],
    ['emea', { configRef: 'emea' }],
  ] as const) {
    fixture.secrets.failWith('AccessDeniedException');
    const denied = await containers.start('stream-consumer');
    await keep(`${name} denied`, denied, { ...more });
    fixture.secrets.failWith('ResourceNotFoundException');
    await keep(`${name} missing`, denied, { ...more });
    fixture.secrets.failWith(undefined);
  }
  fixture.secrets.set('test/default', { redis: { url: 'redis://127.0.0.1:1' } });
  const refused = await containers.start('stream-consumer');
  await keep('default Redis refused', refused, {});
  const failing = await containers.start('stream-xlen');
  await keep('a call, Redis refused', failing, call);
  await keep('a direct call, Redis refused', failing, { key: stream });
  recorded[monitoring].set('crashes', { lines: [], isError: true });
  fixture.secrets.set('test/default', { redis: { url: fixture.url }, mdm });
}

const recordedAs = (name: string, monitoring: Monitoring) => {
  const found = recorded[monitoring].get(name);
  if (!found) throw new Error(`nothing was recorded as ${name}`);
  return found;
};

it.each(['full', 'basic'] as const)(
  'runs that end as their names say are recorded, with %s monitoring',
  (monitoring) => {
    const lines = [...recorded[monitoring]].map(([name, { lines, isError, is5xx }]) => {
      const runs = lines.map((line) => (/"runs":\d/.exec(line) ?? [])[0]).filter(Boolean);
      const failures = lines.flatMap(
        (line) => /"(serverFailures|breakerLevel|deadLettered)":[1-9]/.exec(line)?.[1] ?? [],
      );
      return [name, isError ? 'error' : 'ok', ...(is5xx ? ['5xx'] : []), ...runs, ...failures].join(' ');
    });

    expect(lines).toEqual([
      'default finishes ok "runs":1',
      'emea finishes ok "runs":1',
      'a dead letter ok "runs":1 deadLettered',
      'MDM away ok "runs":1 breakerLevel',
      'a call ok',
      'a call, Redis full ok 5xx serverFailures',
      'default denied error "runs":0 serverFailures',
      'default missing error "runs":0',
      'emea denied error "runs":0 serverFailures',
      'emea missing error "runs":0',
      'default Redis refused error "runs":0 serverFailures',
      'a call, Redis refused ok 5xx serverFailures',
      'a direct call, Redis refused error serverFailures',
      'crashes error',
    ]);
  },
);

interface Deployment {
  readonly rate: string;
  /** Minutes between two runs. */
  readonly gap: number;
  readonly configRefs: readonly string[];
  /** Default: full. */
  readonly monitoring?: Monitoring;
}

const DEPLOYMENTS: Deployment[] = [
  { rate: 'rate(1 minute)', gap: 1, configRefs: ['default'] },
  { rate: 'rate(1 minute)', gap: 1, configRefs: ['default', 'emea'], monitoring: 'basic' },
  { rate: 'rate(5 minutes)', gap: 5, configRefs: ['default'] },
  { rate: 'rate(10 minutes)', gap: 10, configRefs: ['default', 'emea'] },
  { rate: 'rate(1 day)', gap: 1440, configRefs: ['default'] },
  { rate: 'cron(0/15 * ? * * *)', gap: 15, configRefs: ['default'] },
];

/** The parameters of a deployment, as serverless.yml has them. */
const deploymentOf = ({ rate, configRefs, monitoring = 'full' }: Deployment) => {
  const params = {
    operations: 'stream-consumer,stream-xlen',
    consumerRate: rate,
    configRefs: configRefs.join(),
    monitoring,
  };
  const commandLine = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return { service: 'mdm-stream', stage: 'dev', commandLine, blocks: {}, params };
};

const alarmsOf = (template: Template) =>
  new Map(
    Object.entries(iamOf(template).resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([id, { Properties }]) => [id, Properties as unknown as AlarmProperties]),
  );

const madeFor = (deployment: Deployment) =>
  alarmsOf(templateOf(readParameters(deploymentOf(deployment))).resources as Template);

it("the test's alarms are those of the packaged template", async () => {
  const [usual, basic] = DEPLOYMENTS;
  const packaged = alarmsOf(await packageStage({ params: deploymentOf(usual!).params }));

  expect(packaged).toEqual(madeFor(usual!));
  expect([packaged.size, madeFor(basic!).size]).toEqual([14, 8]);
}, 120_000);

/** What a run of a configuration ends like, or undefined where it does not take place. */
type Outcome = (configRef: string) => string | undefined;

interface Scenario {
  readonly run?: Outcome;
  readonly call?: string;
  readonly further?: Day['further'];
  /** How long it lasts, where it does not last. */
  readonly minutes?: number;
  /** The alarms that ring, without what follows their name; of several configurations, those of one. */
  readonly rings: readonly string[];
}

const finishes: Outcome = (configRef) => `${configRef} finishes`;
/** It happens to the configuration `default` alone. */
const ofDefault =
  (name: string): Outcome =>
  (configRef) =>
    configRef === 'default' ? name : finishes(configRef);
const ALL_FAIL = ['ConsumerFailing', 'ConsumerUnfinished'];

const SCENARIOS: Record<string, (deployment: Deployment) => Scenario> = {
  'nothing fails': () => ({ rings: [] }),
  'the secret is denied': (deployment) => ({
    run: (configRef) => `${configRef} denied`,
    rings: [...ALL_FAIL, ...serverFailures(deployment), ...several(deployment)],
  }),
  'the secret is missing': (deployment) => ({
    run: (configRef) => `${configRef} missing`,
    rings: [...ALL_FAIL, ...several(deployment)],
  }),
  'Redis refuses': (deployment) => ({
    run: () => 'default Redis refused',
    rings: [...ALL_FAIL, ...serverFailures(deployment), ...several(deployment)],
  }),
  'every run crashes': (deployment) => ({ run: () => 'crashes', rings: [...ALL_FAIL, ...several(deployment)] }),
  'the schedule is gone': () => ({ run: () => undefined, rings: ['ConsumerNotRunning'] }),
  'one configuration fails': (deployment) => ({
    run: (configRef) => (configRef === 'emea' ? 'emea denied' : finishes(configRef)),
    rings: [
      ...several(deployment),
      ...(deployment.configRefs.includes('emea') ? serverFailures({ ...deployment, configRefs: ['emea'] }) : []),
    ],
  }),
  'the MDM is away': () => ({ run: ofDefault('MDM away'), rings: ['ConsumerBreakerOpen'] }),
  'entries become dead letters': () => ({ run: ofDefault('a dead letter'), rings: ['ConsumerDeadLetters'] }),
  'every call of the API fails': () => ({
    call: 'a call, Redis refused',
    rings: ['ApiServerErrors', 'ServerFailures'],
  }),
  'Redis is full': () => ({ call: 'a call, Redis full', rings: ['ApiServerErrors', 'ServerFailures'] }),
  'calls of another Lambda fail': ({ monitoring }) => ({
    call: 'a direct call, Redis refused',
    rings: [...(monitoring === 'basic' ? [] : ['FunctionErrors']), 'ServerFailures'],
  }),
  'one call of the API fails': () => ({ call: 'a call, Redis refused', minutes: 1, rings: [] }),
};

/** Five failures in ten minutes are what the alarm rings for. */
const serverFailures = ({ gap, configRefs }: Deployment) =>
  Math.floor(10 / gap) * configRefs.length >= 5 ? ['ServerFailures'] : [];
const hasOneEach = ({ configRefs, monitoring }: Deployment) => configRefs.length > 1 && monitoring !== 'basic';
const several = (deployment: Deployment) => (hasOneEach(deployment) ? ['ConsumerNotRunning'] : []);

describe.each(DEPLOYMENTS)('with runs at $rate for $configRefs, monitoring $monitoring', (deployment) => {
  const { gap, configRefs, monitoring = 'full' } = deployment;
  const alarms = madeFor(deployment);
  /** Runs have taken place for a while, and the newest one was just before. */
  const onset = 6 * Math.max(gap, 60) + 1;
  const minutes = onset + Math.max(90, 4 * gap);

  const dayOf = ({ run = finishes, call = 'a call', minutes: lasts = Infinity, further }: Scenario): Day => ({
    minutes,
    further: (minute) => (minute >= onset ? (further?.(minute) ?? []) : []),
    invocations(minute) {
      const isAt = (time: number) => time >= onset && time < onset + lasts;
      const runs = [0, 1].flatMap((late) => {
        const due = minute - late;
        if (due % gap !== 0 || LATE[(due / gap) % LATE.length] !== late) return [];
        return configRefs.flatMap((configRef) => {
          const name = (isAt(due) ? run : finishes)(configRef);
          return name === undefined ? [] : [{ functionName: CONSUMER, recorded: recordedAs(name, monitoring) }];
        });
      });
      const calls = [0, 1, 2, 3].map(() => {
        const name = isAt(minute) ? call : 'a call';
        return {
          functionName: `${PREFIX}stream-xlen`,
          recorded: recordedAs(name, monitoring),
          isHttp: !name.includes('direct'),
        };
      });
      return [...runs, ...calls];
    },
  });

  it.each(Object.keys(SCENARIOS))('exactly the right alarms ring, in time: %s', (name) => {
    const scenario = SCENARIOS[name]!(deployment);
    const inTime = onset + Math.max(10, 2 * gap) + SHOWN_AFTER_MINUTES;

    const metrics = measure(dayOf(scenario));
    for (const unpublished of UNPUBLISHED) {
      const rings = ringsOf(alarms, { metrics, minutes }, unpublished, onset - Math.max(60, 2 * gap));
      const ringing = [...rings].map(([id, [first]]) => ({ id, first: first! }));
      const known = ringing.map(({ id }) => id.replace(/(\d|[0-9a-f]{8})?Alarm$/, ''));

      expect([...new Set(known)].sort()).toEqual([...scenario.rings].sort());
      for (const { id, first } of ringing) {
        expect({ id, first: first >= onset }).toEqual({ id, first: true });
        const due = inTime + evaluatedEvery(alarms.get(id)!);
        expect({ id, late: Math.max(0, first - due) }).toEqual({ id, late: 0 });
      }
      expect(ringing.filter(({ id }) => id.startsWith('ConsumerNotRunning'))).toHaveLength(
        expectedSilent(name, deployment),
      );
    }
  });
});

/** How many of the alarms on silence ring: there is one a configuration. */
function expectedSilent(name: string, deployment: Deployment): number {
  if (name === 'one configuration fails') return hasOneEach(deployment) ? 1 : 0;
  const { rings } = SCENARIOS[name]!(deployment);
  return !rings.includes('ConsumerNotRunning') ? 0 : hasOneEach(deployment) ? deployment.configRefs.length : 1;
}

it('monitoring=off deploys no alarm or dashboard, writes no metrics, and keeps logs', async () => {
  const { resources } = iamOf(await packageStage({ params: { operations: 'stream-consumer', monitoring: 'off' } }));
  const ofType = (type: string) => Object.values(resources).filter(({ Type }) => Type === type);

  expect(ofType('AWS::CloudWatch::Alarm')).toEqual([]);
  expect(ofType('AWS::CloudWatch::Dashboard')).toEqual([]);
  const functions = ofType('AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(0);
  for (const { Properties } of functions)
    expect(Properties).toMatchObject({ Environment: { Variables: { CONNECTOR_METRICS: 'off' } } });
  expect(ofType('AWS::Logs::LogGroup').length).toBeGreaterThan(0);
}, 300_000);
