import type Type from 'typebox';
import type { Deletions } from '../../contract/parameters/stream-info.ts';
import type { Command } from '../../redis/redis.ts';
import { readDigits, readList, unknownReply } from '../../redis/reply-shapes.ts';
import { REFERENCE_WORDS, type References } from '../eviction.ts';

type Deletion = Type.Static<typeof Deletions>[number];

interface DeletionParameters {
  key: string;
  ids: readonly string[];
  references: References;
}

const RESULTS: Record<string, Deletion['result']> = { 1: 'deleted', [-1]: 'not-found', 2: 'referenced' };

/** Deletes entries, choosing what happens to group references. */
export function xdelexCommand(parameters: DeletionParameters): Command<Deletion[]> {
  return deletion(['XDELEX', parameters.key], parameters);
}

/** Acknowledges entries and deletes them, in one step. */
export function xackdelCommand({ group, ...parameters }: DeletionParameters & { group: string }): Command<Deletion[]> {
  return deletion(['XACKDEL', parameters.key, group], parameters);
}

const unknown = (): never => {
  throw unknownReply();
};

function deletion(words: string[], { key, ids, references }: DeletionParameters): Command<Deletion[]> {
  return {
    key,
    needs: { since: 'Redis 8.2', command: words[0]! },
    args: [...words, REFERENCE_WORDS[references], 'IDS', String(ids.length), ...ids],
    decode(reply) {
      const statuses = readList(reply);
      if (statuses.length !== ids.length) throw unknownReply();
      return statuses.map((status, at) => ({ id: ids[at]!, result: RESULTS[readDigits(status)] ?? unknown() }));
    },
  };
}
