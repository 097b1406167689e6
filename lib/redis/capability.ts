import { ConnectorError } from '../core/errors.ts';
import type { Capability, Command, Reply } from './redis.ts';

/** The error for a command or option that the server lacks. */
export function lacking({ since }: Capability, cause?: unknown): ConnectorError {
  const message = `This server lacks the command or option: it needs ${since} or newer`;
  return new ConnectorError('STREAM:COMMAND', message, { status: 422, temporary: false, upstreamCode: 'ERR', cause });
}

/** Asks a server for its commands (COMMAND DOCS), because versions of forks and services say little. */
export class Capabilities {
  readonly #known = new Map<string, Promise<boolean>>();

  /**
   * Whether the server has it. If the server does not say, it is assumed to have it; the command then fails if it does
   * not.
   *
   * @param send sends a command to this server
   */
  has(
    { command, option = '' }: Capability,
    key: string,
    send: (command: Pick<Command<unknown>, 'key' | 'args'>) => Promise<Reply>,
  ): Promise<boolean> {
    const name = `${command} ${option}`;
    const known =
      this.#known.get(name) ?? send({ key, args: ['COMMAND', 'DOCS', command] }).then(describes(option), orUnsaid);
    this.#known.set(name, known);
    known.catch(() => this.#known.delete(name));
    return known;
  }
}

const describes = (option: string) => (reply: Reply) => {
  const words = (reply as Reply[]).flat(10);
  return words.length > 0 && (option === '' || words.includes(option));
};

/** A refusal says nothing about the capability: the user may not ask, or the server has no COMMAND DOCS. */
function orUnsaid(error: unknown): true {
  if (error instanceof ConnectorError && error.upstreamCode && error.status !== 503) return true;
  throw error;
}
