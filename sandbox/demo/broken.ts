import type { Post } from '../stack/api.ts';

/** Where an entry of the stream is. */
export interface Place {
  stream: string;
  id: string;
}

/** A record that cannot become golden, sent on purpose: its dead letter must say why. */
export interface BrokenRecord {
  readonly what: string;
  send(post: Post, shard: string): Promise<Place>;
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

/** Sent as producers should: the stream takes it, the MDM will not. */
function enqueued(what: string, parts: { record: object; sourceSystem?: string }): BrokenRecord {
  const parameters = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'broken', ...parts };
  return { what, send: (post) => post<Place>('/mdm/source-enqueue', parameters) };
}

/** Put on the stream past the operation that would have checked it. */
function added(what: string, fields: Record<string, string>): BrokenRecord {
  const entry = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'broken', ...fields };
  const send = async (post: Post, stream: string) => {
    return { stream, id: await post<string>('/stream/xadd', { key: stream, entry }) };
  };
  return { what, send };
}
