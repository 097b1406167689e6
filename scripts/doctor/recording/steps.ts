import { randomUUID } from 'node:crypto';
import { handler as codelistRead } from '#functions/mdm/codelist-read/handler.ts';
import { handler as jobRead } from '#functions/mdm/job-read/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as match } from '#functions/mdm/match/handler.ts';
import { handler as mergePreview } from '#functions/mdm/merge-preview/handler.ts';
import { handler as metadataRead } from '#functions/mdm/metadata-read/handler.ts';
import { handler as relationshipRead } from '#functions/mdm/relationship-read/handler.ts';
import { handler as relationshipSearch } from '#functions/mdm/relationship-search/handler.ts';
import { handler as search } from '#functions/mdm/search/handler.ts';
import { handler as sourceDelete } from '#functions/mdm/source-delete/handler.ts';
import { handler as sourceList } from '#functions/mdm/source-list/handler.ts';
import { handler as sourcePatch } from '#functions/mdm/source-patch/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import type { Handler } from '#lib/endpoint/endpoint.ts';
import type { DataModel, Entity, Field } from '#lib/mdm/metadata/model-digest.ts';
import { ScriptError } from '../../arguments.ts';
import { contextOfCall } from '../own-secrets.ts';
import type { Recorder } from './recorder.ts';

/** What the doctor writes: nobody's name. */
const TEXT = 'mdm-stream doctor';
const OTHER_TEXT = 'mdm-stream doctor, changed';
/** A text and an id that no tenant has. */
const ABSENT = 'mdmstreamdoctornothing';
const DAY_MS = 24 * 60 * 60_000;

interface Steps {
  readonly configRef: string;
  readonly recorder: Recorder;
  readonly model: DataModel;
  /** The entity of a record that the doctor writes, reads, changes and deletes; undefined: it only reads. */
  readonly write: string | undefined;
}

/**
 * Calls the operations that a recording is made of, one after the other. What one refuses is recorded as well.
 *
 * @throws {ScriptError} if the data model cannot be read, or the record to write is refused: what follows would say
 *   nothing of the tenant
 */
export async function carryOutSteps({ configRef, recorder, model, write }: Steps): Promise<void> {
  const callOrFail: Call = async (step, handler, parameters, ids = {}) => {
    recorder.begin(step, ids);
    const output = await handler({ configRef, ...parameters }, contextOfCall());
    return (JSON.parse(JSON.stringify(output)) as { payload?: Payload }).payload ?? {};
  };
  const call: Call = (...step) => callOrFail(...step).catch(() => ({}));
  const { relationship: kinds, lookupTypes } = await callOrFail('data-model', metadataRead, {
    resource: 'DATAMODEL',
  }).catch(({ message }: Error) => {
    throw new ScriptError(`Nothing was recorded: ${message}`); // it could be read without the recorder
  });
  const found = await findRecords(model, call);
  if (found) await readRecords(found, call);
  await readRelationships(idOf(kinds?.[0]), found, call);
  await readCodelist(idOf(lookupTypes?.[0]), call);
  await call('job-read-unknown', jobRead, { id: ABSENT }, { id: ABSENT });
  const entity = model.entities.find(({ id }) => id === write);
  if (entity) await carryOutWrites(entity, recorder, { call, callOrFail });
}

/** The parts of responses that lead to the next call. */
interface Payload {
  readonly [field: string]: unknown;
  readonly searchResult?: { readonly records?: readonly { readonly _meta?: Meta }[] };
  readonly content?: readonly (Meta & { readonly _meta?: Meta; readonly Code?: string })[];
  /** Of a data model. */
  readonly relationship?: readonly Meta[];
  readonly lookupTypes?: readonly Meta[];
}
interface Meta {
  readonly businessId?: string | number;
  readonly guid?: string;
  readonly id?: unknown;
  readonly sourceSystem?: string;
  readonly sourcePKey?: string;
}

type Call = (step: string, handler: Handler, parameters: object, ids?: Record<string, string>) => Promise<Payload>;

/** Of a part of the data model. */
const idOf = ({ guid, id }: Meta = {}): string | undefined => guid ?? (typeof id === 'string' ? id : undefined);

/** The ids of an entity's records. */
interface Found {
  readonly entity: Entity;
  readonly businessIds: readonly string[];
}

/** The first entity that has records, with two of them; else the first entity. */
async function findRecords({ entities }: DataModel, call: Call): Promise<Found | undefined> {
  for (const entity of entities) {
    const businessEntity = entity.id;
    const { searchResult } = await call('search', search, { businessEntity, search: '*', pageSize: 2 });
    const ids = (searchResult?.records ?? []).map(({ _meta }) => _meta?.businessId);
    const businessIds = ids.filter((id) => id !== undefined).map(String);
    if (businessIds.length > 0) return { entity, businessIds };
  }
  const [entity] = entities;
  return entity && { entity, businessIds: [] };
}

/** What can be read of golden records, and of one that does not exist. */
async function readRecords({ entity, businessIds }: Found, call: Call): Promise<void> {
  const businessEntity = entity.id;
  const [businessId] = businessIds;
  const recorded = { businessEntity };
  const absent = { businessEntity, businessId: ABSENT };
  await call('search-nothing', search, { businessEntity, search: ABSENT, pageSize: 1 });
  await call('entity', metadataRead, { resource: 'BUSINESS_ENTITY', objectInternalId: businessEntity }, recorded);
  await call('master-read-unknown', masterRead, absent, absent);
  const texts = entity.fields.filter(isText);
  const resemble = (step: string, record: Payload) =>
    call(step, match, { businessEntity, record, maxRecords: 1 }, recorded);
  if (texts[0]) await resemble('match-nothing', { [texts[0].name]: ABSENT });
  if (businessId === undefined) return;
  const golden = { businessEntity, businessId };
  const record = await call('master-read', masterRead, { ...golden, showContentMeta: true }, golden);
  const field = texts.find(({ name }) => typeof record[name] === 'string');
  if (field) await resemble('match', { [field.name]: record[field.name] });
  const { content = [] } = await call('source-list', sourceList, golden, golden);
  const { sourceSystem, sourcePKey } = content[0] ?? {};
  if (sourceSystem !== undefined && sourcePKey !== undefined) {
    const key = { businessEntity, sourceSystem, sourcePKey };
    await call('source-read-found', sourceRead, key, { ...key, sourceKey: `${sourceSystem}:${sourcePKey}` });
  }
  const records = businessIds.map((id) => ({ businessId: id }));
  if (records.length === 2) await call('merge-preview', mergePreview, { businessEntity, records }, recorded);
}

/** The kinds of relationships, and those from a golden record. */
async function readRelationships(kind: string | undefined, found: Found | undefined, call: Call): Promise<void> {
  await call('relationships', metadataRead, { resource: 'RELATIONSHIP', pageSize: 1 });
  const businessId = found?.businessIds[0];
  if (kind === undefined || businessId === undefined) return;
  const from = { businessEntity: found!.entity.id, businessId };
  const recorded = { relationship: kind };
  const { content = [] } = await call(
    'relationship-search',
    relationshipSearch,
    { relationship: kind, from },
    recorded,
  );
  const id = content[0]?._meta?.id;
  if (typeof id === 'string')
    await call('relationship-read', relationshipRead, { ...recorded, id }, { ...recorded, id });
}

/** The values of a code list, one of them, and what changed in the last day. */
async function readCodelist(id: string | undefined, call: Call): Promise<void> {
  if (id === undefined) return;
  const { content = [] } = await call('codelist-read', codelistRead, { id }, { id });
  const code = content[0]?.Code;
  if (code !== undefined) await call('codelist-value', codelistRead, { id, code }, { id });
  const modifiedSince = new Date(Date.now() - DAY_MS).toISOString();
  await call('codelist-changes', codelistRead, { id, modifiedSince }, { id });
}

/** Submits, reads, changes and deletes a record of its own, and asks for it once more. */
async function carryOutWrites(
  entity: Entity,
  recorder: Recorder,
  { call, callOrFail }: { call: Call; callOrFail: Call },
): Promise<void> {
  const sourceSystem = entity.sourceSystems[0]?.id ?? '';
  const sourcePKey = `doctor-${randomUUID()}`;
  for (const text of [TEXT, OTHER_TEXT]) recorder.written.add(text);
  const key = { businessEntity: entity.id, sourceSystem, sourcePKey };
  const ids = { ...key, sourceKey: `${sourceSystem}:${sourcePKey}` };
  const field = entity.fields.find(isText)?.name ?? 'name';
  const record = { ...recordOf(entity.fields), [field]: TEXT };
  await callOrFail('submit', sourceSubmit, { ...key, record }, ids).catch(async ({ message }: Error) => {
    await call('delete', sourceDelete, key, ids); // a submit that failed without an answer may have been carried out
    const cure = 'Name another entity with --write: its required fields may have no codes. Or record without --write';
    throw new ScriptError(`The record for ${entity.id} was not written, so nothing is recorded: ${message}. ${cure}`);
  });
  await call('source-read', sourceRead, key, ids);
  const operations = [{ op: 'replace', path: `/${field}`, value: OTHER_TEXT }];
  await call('patch', sourcePatch, { ...key, operations }, ids);
  await call('delete', sourceDelete, key, ids);
  await call('source-read-deleted', sourceRead, key, ids);
}

const isText = ({ kind, many }: Field) => kind === 'text' && !many;

/** A record with the required fields of the entity. Codes of lookups are the tenant's own, and are left out. */
function recordOf(fields: readonly Field[]): Record<string, unknown> {
  const required = fields.filter((field) => field.required && field.kind in SAMPLES);
  return Object.fromEntries(required.map(({ name, kind, many }) => [name, many ? [SAMPLES[kind]] : SAMPLES[kind]]));
}

const SAMPLES: Record<string, unknown> = { text: TEXT, integer: 1, number: 1, boolean: false, date: '2026-01-01' };
