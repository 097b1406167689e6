import { inTime } from '../core/abort.ts';
import { ConnectorError } from '../core/errors.ts';
import { Checks, type Found } from '../invocation/checks.ts';
import type { MdmConfig } from '../config/config.schema.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { openMdm, type MdmClient } from './client/client.ts';
import { readDataModel } from './metadata/data-model.ts';
import type { DataModel, Entity } from './metadata/model-digest.ts';
import { searchPage } from './records/search.ts';
import type { Session } from './session/login.ts';
import { sessionKeeper, type SessionKeeper } from './session/session.ts';

/** Names in a detail or a hint. */
const MAX_NAMES = 10;

/**
 * Checks the way to the master data API step by step, as calls use it. Only reads: it logs in, reads the data model,
 * and searches one record.
 */
export async function checkMdm(invocation: Invocation, businessEntity: string | undefined): Promise<Checks> {
  const checks = new Checks(['secret', 'login', 'session', 'metadata', 'business-entity', 'search']);
  const mdm = await checks.run('secret', async () => foundSecret(await openMdm(invocation, { attempts: 1 })));
  if (!mdm) return checks;
  const keeper = sessionKeeper(invocation.configRef, invocation.connector);
  const session = await checks.run('login', () => logIn(invocation, keeper, mdm.config));
  if (!session) return checks;
  await checks.run('session', () => foundSession(keeper, mdm.config));
  const model = await checks.run('metadata', () =>
    readDataModel(mdm, { isAnew: true }).then(foundModel, (error: unknown) => refusedModel(error)),
  );
  if (!model) return checks;
  const entity = await checks.run('business-entity', () => foundEntity(model, businessEntity));
  if (entity) await checks.run('search', () => search(mdm, entity));
  return checks;
}

function foundSecret(mdm: MdmClient): Found<MdmClient> {
  const { auth, baseUrl } = mdm.config;
  const login = auth.type === 'session' ? '' : ` at ${new URL(auth.loginUrl).host}`;
  const api = baseUrl === undefined ? 'the login says where the API is' : `the API is at ${new URL(baseUrl).host}`;
  return { detail: `Valid: ${auth.type}${login}; ${api}`, value: mdm };
}

/** Uses the session that the container has, like any call. */
async function logIn(invocation: Invocation, keeper: SessionKeeper, config: MdmConfig): Promise<Found<Session>> {
  const session = await inTime(
    { ms: invocation.deadline.within(Infinity) },
    async () => keeper.current(config),
    () => new ConnectorError('MDM:TIMEOUT', 'The login to the master data API did not succeed in time'),
  );
  return { detail: `The API is at ${new URL(session.baseUrl).host}`, value: session };
}

function foundSession({ leftMs }: SessionKeeper, { auth }: MdmConfig): Found<true> {
  const found = (detail: string): Found<true> => ({ detail, value: true });
  if (auth.type === 'session') return found('Passed through; it is never renewed');
  if (leftMs === undefined) return found('Its end is unknown; it is renewed when the API refuses it');
  return found(`Ends in ${Math.round(leftMs / 60_000)} min, and is renewed before`);
}

function foundModel(model: DataModel): Found<DataModel> {
  const { entities, sourceSystems } = model;
  if (entities.length === 0) {
    const hint = 'Give the MDM user a role that may read business entities';
    return { status: 'warning', detail: 'The data model shows no business entity', hint, value: model };
  }
  const counts = [counted(entities.length, 'business entity', 'business entities')];
  counts.push(counted(sourceSystems.length, 'source system'));
  return { detail: counts.join(', '), value: model };
}

/** The data model is at the same path of every tenant. */
function refusedModel(error: unknown): Found<undefined> {
  if (!(error instanceof ConnectorError) || error.hint !== undefined) throw error;
  const { message: detail, upstreamStatus = 0 } = error;
  const failed = (hint: string) => ({ status: 'failed' as const, detail, hint, value: undefined });
  if (upstreamStatus === 403) return failed('Give the MDM user a role that may read business entities');
  if (upstreamStatus === 404 || (upstreamStatus >= 300 && upstreamStatus < 400))
    return failed('Check mdm.baseUrl: the address of the API, without a path. Without it, the login says the address');
  throw error;
}

function foundEntity({ entities }: DataModel, id: string | undefined): Found<Entity | undefined> {
  if (id === undefined) return { status: 'skipped', detail: 'No businessEntity was given', value: entities[0] };
  const entity = entities.find((candidate) => candidate.id === id);
  if (!entity) {
    const hint = `Use one of ${listOf(entities.map((one) => one.id))}`;
    return { status: 'failed', detail: 'The tenant has no such business entity', hint, value: undefined };
  }
  const { displayName, sourceSystems } = entity;
  const systems = sourceSystems.length === 0 ? 'none' : listOf(sourceSystems.map((system) => system.id));
  return { detail: `${displayName}; source systems: ${systems}`, value: entity };
}

async function search(mdm: MdmClient, { id }: Entity): Promise<Found<true>> {
  const query = { businessEntity: id, search: '*', pageSize: 1, pageOffset: 0, showContentMeta: false };
  const { response } = await searchPage(mdm, query);
  const { hits = 'an unknown number of' } = response.attributes;
  return { detail: `Found ${hits} records of ${id}`, value: true };
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
