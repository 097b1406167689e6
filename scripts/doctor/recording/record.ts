import { mdmCheck } from '#functions/mdm/check/contract.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { openMdm } from '#lib/mdm/client/client.ts';
import { readDataModel } from '#lib/mdm/metadata/data-model.ts';
import { sessionKeeper } from '#lib/mdm/session/session.ts';
import { dialectOf, DIALECTS, startSandboxMdm, type SandboxMdm } from '#sandbox/mdm/index.ts';
import type { Recording } from '#sandbox/mdm/recording/recording.ts';
import { ScriptError } from '../../arguments.ts';
import { invocationOf, putSecret } from '../own-secrets.ts';
import { startRecorder } from './recorder.ts';
import { carryOutSteps } from './steps.ts';

let count = 0;

/**
 * Records how a tenant answers the operations.
 *
 * @param mdm the part `mdm` of a configuration
 * @param write the business entity of a record that is written, read and deleted; undefined: it only reads
 * @throws {ScriptError} if the tenant cannot be reached, has no such entity, or refuses the record
 */
export async function recordTenant(mdm: object, write?: string): Promise<Recording> {
  const configRef = `tenant-${++count}`;
  await putSecret(configRef, { mdm: { ...mdm, sessionStore: 'memory' } });
  try {
    const invocation = invocationOf(mdmCheck, configRef);
    const client = await openMdm(invocation);
    const { baseUrl } = await sessionKeeper(configRef, invocation.connector).current(client.config);
    const model = await readDataModel(client, { isAnew: true });
    if (write !== undefined && !model.entities.some(({ id }) => id === write)) {
      throw new ScriptError(`The tenant has no business entity ${write}`);
    }
    const recorder = await startRecorder(client.config, baseUrl);
    await putSecret(`${configRef}-through`, { mdm: recorder.config });
    const steps = { configRef: `${configRef}-through`, recorder, model, write };
    try {
      await carryOutSteps(steps);
    } finally {
      await recorder.close();
    }
    return recorder.recording;
  } catch (error) {
    if (error instanceof ConnectorError) throw new ScriptError(`Nothing was recorded: ${error.message}`);
    throw error;
  }
}

/** What the sandbox's own records are like. */
const ENTITY = 'c360.person';
const PERSONS = [
  { firstName: 'Ada', lastName: 'Lovelace' },
  { firstName: 'Grace', lastName: 'Hopper' },
];
const CITY = { name: 'London', country: { Code: 'GB' }, location: { latitude: 51.5, longitude: -0.1 } };

/** Gives a sandbox something of each kind that a recording asks for. */
export function fillSandbox({ records, relationships }: SandboxMdm): void {
  const submit = (entity: string, sourcePKey: string, record: object) =>
    records.submit({ entity, sourceSystem: 'crm', sourcePKey, record: { ...record } }).source;
  const [person] = PERSONS.map((record, index) => submit(ENTITY, `person-${index}`, record));
  const city = submit('c360.city', 'city', CITY);
  const ends = [person!, city].map(({ entity, businessId }) => ({ businessEntity: entity, businessId }));
  const kind = 'c360.livesIn';
  const [from, to] = ends as [(typeof ends)[0], (typeof ends)[0]];
  relationships.create({ kind, sourceSystem: 'crm', from, to, hierarchy: {}, attributes: {} });
}

/** The same of the sandbox, in each dialect. */
export async function recordDialects(): Promise<Record<string, Recording>> {
  const recordings: Record<string, Recording> = {};
  for (const name of DIALECTS) {
    const sandbox = await startSandboxMdm({ dialect: dialectOf(name) });
    fillSandbox(sandbox);
    recordings[name] = await recordTenant(sandbox.secret, ENTITY);
    await sandbox.close();
  }
  return recordings;
}
