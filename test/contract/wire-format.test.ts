import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEAD_LETTER_FIELDS } from '#lib/consumer/dead-letters/letter.ts';
import { encodeChange, shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { SourceChange } from '#lib/consumer/producer/source-change.schema.ts';

/* docs/wire-format.md and its vectors describe what is written. Producers in other languages rely on them. */

interface Vector {
  what: string;
  businessEntity: string;
  sourceSystem: string;
  sourcePKey: string;
  json: string;
  sha256: string;
  shardOf16: string;
  shardOf1024: string;
}
const page = readFileSync('docs/wire-format.md', 'utf8');
const { vectors } = JSON.parse(readFileSync('docs/wire-format.json', 'utf8')) as { vectors: Vector[] };

describe.each(vectors.map((vector) => [vector.what, vector] as const))('the key with %s', (_, vector) => {
  it('the key of each test vector is on its shard', () => {
    expect(shardOf(vector, 'source-submit', 16)).toBe(vector.shardOf16);
    expect(shardOf(vector, 'source-submit', 1024)).toBe(vector.shardOf1024);
  });

  it('the key of each test vector is hashed as the page describes', () => {
    const hash = createHash('sha256').update(vector.json, 'utf8').digest();

    expect(JSON.parse(vector.json)).toEqual([vector.businessEntity, vector.sourceSystem, vector.sourcePKey]);
    expect(hash.toString('hex')).toBe(vector.sha256);
    expect(`source-submit:${hash.readUInt32BE() % 16}`).toBe(vector.shardOf16);
  });
});

it('the wire format page names every field of an entry and of a dead letter', () => {
  const fields = [...Object.keys(SourceChange.properties), ...DEAD_LETTER_FIELDS];

  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});

it("a submit's entry has no operation, so consumers of version 1.0 can read it", () => {
  const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };

  const submit = encodeChange({ ...key, operation: 'submit', record: { name: 'Bonn' }, resolveCrosswalk: false });
  const remove = encodeChange({ ...key, operation: 'delete', resolveCrosswalk: false });

  expect(Object.keys(submit)).toEqual([...Object.keys(key), 'record']);
  expect(remove).toEqual({ ...key, operation: 'delete' });
});
