import { ConnectorError, describeFaults } from '../../core/errors.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
import { readObject } from '../exchange/response.ts';
import type { MdmClient } from '../client/client.ts';
import { credentialsOf } from '../session/credentials.ts';
import { digestModel, type DataModel, type Entity } from './model-digest.ts';
import { pathOf } from '../exchange/path.ts';

/** The service keeps its model for the same time. */
const KEPT_MS = 5 * 60_000;
/** No call takes longer: a read that is still under way then was frozen with its container. */
const LONGEST_READ_MS = 30_000;
/** Number of tenants whose model a container keeps. */
const MAX_KEPT = 4;

interface Kept {
  readonly age: Stopwatch;
  readonly model: Promise<DataModel>;
  keptMs: number;
}

const kept = new Map<string, Kept>();

/**
 * The tenant's data model, kept for five minutes by address and user. It can exceed 10 MB, so concurrent calls share
 * one request, a new session does not reload it, and only its entities are kept.
 *
 * @param options.isAnew whether to read it even if it is kept
 */
export function readDataModel(mdm: MdmClient, { isAnew = false } = {}): Promise<DataModel> {
  const key = tenantOf(mdm);
  const known = kept.get(key);
  if (known && !isAnew && known.age.elapsedMs() < known.keptMs) return known.model;
  const model = fetchModel(mdm, known !== undefined);
  const entry: Kept = { age: new Stopwatch(), model, keptMs: LONGEST_READ_MS };
  kept.delete(key);
  kept.set(key, entry);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  model.then(
    () => (entry.keptMs = KEPT_MS),
    () => kept.get(key) === entry && kept.delete(key),
  );
  return model;
}

/**
 * An entity of the tenant.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (404) if the tenant has none with this id.
 */
export async function readEntity(mdm: MdmClient, id: string): Promise<Entity> {
  const { entities } = await readDataModel(mdm);
  const entity = entities.find((candidate) => candidate.id === id);
  if (entity) return entity;
  const faults = [{ pointer: '/businessEntity', message: 'names no business entity of the tenant' }];
  throw new ConnectorError('MDM:CLIENT_ERROR', describeFaults(faults), { status: 404, faults });
}

async function fetchModel(mdm: MdmClient, isKnown: boolean): Promise<DataModel> {
  const response = await mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.metadata, 'tenantModel', 'datamodel'),
    headers: isKnown ? { MODEL_VERSION: String(Date.now()) } : {}, // bypasses the service's cache
  });
  return digestModel(readObject(response));
}

function tenantOf({ config: { auth, baseUrl } }: MdmClient): string {
  const user = auth.type === 'session' ? [auth.sessionId] : credentialsOf(auth).user;
  return JSON.stringify([baseUrl, ...user]);
}
