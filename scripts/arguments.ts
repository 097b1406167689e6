import { parseArgs } from 'node:util';
import { ScriptError } from '../sandbox/stack/script-error.ts';
import { paint } from '../sandbox/stack/terminal.ts';

export { ScriptError };

/** An option of a script, as `parseArgs` takes it, and what `--help` says of it. */
export interface Option {
  type: 'string' | 'boolean';
  default?: string;
  multiple?: true;
  /** Stands for the value in the help: `<port>`. */
  value?: string;
  /** What it does, for a person. */
  about: string;
}

export interface Script<Options extends Record<string, Option>> {
  /** How npm starts it: `npm run invoke`. */
  command: string;
  /** What it does, in a sentence. */
  about: string;
  /** What it takes besides options: `<function> [<payload>]`. */
  takes?: string;
  /** The most of those. Default 0. */
  positionals?: number;
  options?: Options;
  /** Calls to copy. */
  examples: readonly string[];
  /** Further lines of the help. */
  notes?: string;
}

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean | undefined
    : Options[Name] extends { multiple: true }
      ? string[] | undefined
      : Options[Name] extends { default: string }
        ? string
        : string | undefined;
};

/**
 * Reads the command line of a script. `--help` prints how to use it and ends the process with 0; what does not fit ends it
 * with one sentence and 1, as does a `ScriptError` that is thrown later and caught by nobody.
 *
 * @example
 * const { values } = readArguments({
 *   command: 'npm run load',
 *   about: 'Puts the local stack under load.',
 *   options: { clients: { type: 'string', default: '200', value: '<n>', about: 'HTTP clients at a time' } },
 *   examples: ['npm run load -- --clients 50'],
 * });
 */
export function readArguments<const Options extends Record<string, Option> = Record<never, Option>>(
  script: Script<Options>,
): { values: Values<Options>; positionals: string[] } {
  process.on('uncaughtException', stop);
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...script.options, help } });
    if (values.help) {
      console.log(helpOf(script));
      process.exit(0);
    }
    const [extra] = positionals.slice(script.positionals ?? 0);
    if (extra !== undefined) throw new ScriptError(`It takes no argument '${extra}'`);
    return { values: values as Values<Options>, positionals };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/[.\n]\s*(?:To specify|Did you|$)/);
    return stop(new ScriptError(`${sentence}: see ${script.command} -- --help`));
  }
}

/** Ends the process with the sentence of an error; one that is no `ScriptError` is shown whole. */
export function stop(error: unknown): never {
  console.error(error instanceof ScriptError ? paint('red', error.message, process.stderr) : error);
  process.exit(error instanceof ScriptError ? error.exitCode : 1);
}

/** Reads an option that is a whole number. */
export function wholeNumber(name: string, text: string, { min = 1, max }: { min?: number; max: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ScriptError(`--${name} takes a whole number from ${min} to ${max}, not '${text}'`);
}

/** Reads an option that is one of several words. */
export function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new ScriptError(`--${name} takes one of ${words.join(', ')}, not '${text}'`);
}

function helpOf<Options extends Record<string, Option>>(script: Script<Options>): string {
  const { command, about, takes, options = {} as Options, examples, notes } = script;
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    option.type === 'boolean' ? `--${name}` : `--${name} ${option.value ?? '<text>'}`,
    option.default === undefined ? option.about : `${option.about} (default ${option.default})`,
  ]);
  const all: [string, string][] = [...rows, ['--help', 'this text']];
  const width = Math.max(...all.map(([left]) => left.length));
  return [
    paint('bold', `${command} -- [options]${takes ? ` ${takes}` : ''}`),
    `\n${about}\n`,
    ...all.map(([left, right]) => `  ${paint('cyan', left)}${' '.repeat(width - left.length)}  ${right}`),
    ...(notes ? [`\n${notes}`] : []),
    `\n${paint('bold', `Example${examples.length > 1 ? 's' : ''}:`)}`,
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}
