import type { Post } from '../stack/api.ts';

/** The place of an entry in the stream. */
export interface StreamPosition {
  stream: string;
  id: string;
}

/** A broken record, sent on purpose. Its dead letter must say why. */
export interface BrokenRecord {
  readonly what: string;
  send(post: Post, shard: string): Promise<StreamPosition>;
}

const sound = { name: 'Atlantis', asciiName: 'atlantis', country: { Code: 'GR' }, population: 0 };
const { name: _name, ...nameless } = sound;

export const BROKEN: readonly BrokenRecord[] = [
  enqueued('a record without its required name', { record: nameless }),
  enqueued('a population in words', { record: { ...sound, population: 'many' } }),
  enqueued('a source system that nobody knows', { record: sound, sourceSystem: 'atlas' }),
  added('an entry whose record is not JSON', { record: 'Atlantis' }),
  added('an entry without a record', {}),
];

/** Sent like other records: the stream accepts it, the MDM will not. */
function enqueued(what: string, parts: { record: object; sourceSystem?: string }): BrokenRecord {
  const parameters = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'broken', ...parts };
  return { what, send: (post) => post<StreamPosition>('/mdm/source-enqueue', parameters) };
}

/** Added to the stream directly, without the operation that would check it. */
function added(what: string, fields: Record<string, string>): BrokenRecord {
  const entry = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'broken', ...fields };
  const send = async (post: Post, stream: string) => {
    return { stream, id: await post<string>('/stream/xadd', { key: stream, entry }) };
  };
  return { what, send };
}
