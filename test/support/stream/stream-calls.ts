import { registry } from '#functions/registry.ts';

/** A kind of call of a stream command, as its contract has it. */
export interface StreamCall {
  /** `stream-xclaim with justId` */
  readonly title: string;
  readonly operation: string;
  readonly input: Record<string, unknown>;
  /** Rights of the Redis user. */
  readonly needs: readonly string[];
  /** The version of Redis that has the command, where not all have it. */
  readonly sinceRedis?: string;
}

/** Every stream command, in each of its kinds. A new command is among them with its contract. */
export const streamCalls: StreamCall[] = registry
  .filter(({ group }) => group === 'streams')
  .flatMap(({ name, rights = [], sinceRedis, example }) =>
    rights.map(({ when = '', given, needs }) => ({
      title: `${name} ${when.replaceAll('`', '')}`.trim(),
      operation: name.slice('stream-'.length),
      input: { ...example.input, ...given },
      needs,
      sinceRedis,
    })),
  );
