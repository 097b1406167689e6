import { parseArgs } from 'node:util';
import { ScriptError } from './build/script-error.ts';
import { paint } from '#sandbox/stack/terminal.ts';

export { ScriptError };

/** An option of a script, for `parseArgs` and for `--help`. */
export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  default?: string;
  multiple?: true;
  /** Placeholder of the value in the help: `<port>`. */
  value?: string;
  /** Description of the option. */
  about: string;
}

const HELP = { type: 'boolean', short: 'h', about: 'this text' } as const;

export interface Script<Options extends Record<string, Option>> {
  /** The npm command: `npm run invoke`. */
  command: string;
  /** Description of the script, one sentence. */
  about: string;
  /** Arguments besides options: `<function> [<payload>]`. */
  takes?: string;
  /** Maximum number of arguments. Default 0. */
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
 * Reads the command line of a script. `--help` prints the usage and exits with 0. An invalid command line prints one
 * sentence and exits with 1, and so does an uncaught `ScriptError`.
 *
 * @example
 * const { values } = readArguments({
 *   command: 'npm run prove -- load',
 *   about: 'Puts the local stack under load.',
 *   options: { clients: { type: 'string', default: '200', value: '<n>', about: 'HTTP clients at a time' } },
 *   examples: ['npm run prove -- load --clients 50'],
 * });
 */
export function readArguments<const Options extends Record<string, Option> = Record<never, Option>>(
  script: Script<Options>,
): { values: Values<Options>; positionals: string[] } {
  process.on('uncaughtException', stop);
  const options: Record<string, Option> = { ...script.options, help: HELP };
  const { values, positionals, tokens } = parseArgs({ strict: false, allowPositionals: true, tokens: true, options });
  if (values.help) {
    console.log(helpOf(script, options));
    process.exit(0);
  }
  const extra = positionals[script.positionals ?? 0];
  const fault =
    tokens.map((token) => (token.kind === 'option' ? faultOf(token, options) : undefined)).find(Boolean) ??
    (extra === undefined
      ? undefined
      : `It takes no ${script.takes ? 'further ' : ''}argument '${extra}' (npm passes options on after --)`);
  if (fault) return stop(new ScriptError(`${fault}: see ${withOptions(script.command)} --help`));
  return { values: values as Values<Options>, positionals };
}

/** npm passes on what follows the first `--`. */
const withOptions = (command: string) =>
  command.startsWith('npm ') && !command.includes(' -- ') ? `${command} --` : command;

/** An option as it was written; its value apart where no `=` joins them. */
interface Written {
  name: string;
  rawName: string;
  value?: string;
  inlineValue?: boolean;
}

/**
 * What is wrong with an option as it was written. A negative number is a value; another dash begins the next option.
 */
function faultOf({ name, rawName, value, inlineValue }: Written, options: Record<string, Option>): string | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) return `There is no option ${rawName}; there are --${Object.keys(options).join(', --')}`;
  if (option.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value`;
  return !value || (!inlineValue && /^-\D/.test(value))
    ? `${rawName} needs a value, ${option.value ?? '<text>'}`
    : undefined;
}

/** Ends the process with the message of a `ScriptError`; prints any other error in full. */
export function stop(error: unknown): never {
  console.error(error instanceof ScriptError ? paint('red', error.message, process.stderr) : error);
  process.exit(error instanceof ScriptError ? error.exitCode : 1);
}

/** Does some work. Its error ends the script, with its message or with what `explain` makes of that. */
export function attempt<T>(work: () => T, explain = (message: string) => message): T {
  try {
    return work();
  } catch (error) {
    throw new ScriptError(explain((error as Error).message));
  }
}

/** Reads an option that is a whole number. */
export function wholeNumber(name: string, text: string, { min = 1, max }: { min?: number; max: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const [least, most] = [min, max].map((bound) => bound.toLocaleString('en-US'));
  throw new ScriptError(`--${name} takes ${least} to ${most} (a whole number), not '${text}'`);
}

/** Reads an option that is one of several words. */
export function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new ScriptError(`--${name} takes one of ${words.join(', ')}, not '${text}'`);
}

function helpOf(
  { command, about, takes, examples, notes }: Script<Record<string, Option>>,
  options: Record<string, Option>,
): string {
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    option.type === 'boolean' ? `--${name}` : `--${name} ${option.value ?? '<text>'}`,
    option.default === undefined ? option.about : `${option.about} (default ${option.default})`,
  ]);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    paint('bold', `${withOptions(command)} [options]${takes ? ` ${takes}` : ''}`),
    `\n${about}\n`,
    ...rows.map(([left, right]) => `  ${paint('cyan', left)}${' '.repeat(width - left.length)}  ${right}`),
    ...(notes ? [`\n${notes}`] : []),
    `\n${paint('bold', `Example${examples.length > 1 ? 's' : ''}:`)}`,
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}
