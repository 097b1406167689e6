import type { Converted } from './convert.ts';
import type { OtherElement } from './read-application.ts';

/** A call as a Task state of Step Functions (JSONata). What is to be filled in makes the state fail, and says so. */
export function stateOf({ call, toFillIn, from }: Converted, configRef?: string): Record<string, unknown> {
  const { operation, input } = call!;
  const missing = Object.entries(toFillIn).map(([name, text]) => [
    name,
    `{% $error(${JSON.stringify(`Fill in ${name} of line ${from.line}: it was ${text}`)}) %}`,
  ]);
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: {
      FunctionName: `mdm-stream-prod-${operation}`,
      Payload: { ...withRef(input, configRef), ...(Object.fromEntries(missing) as object) },
    },
    Output: '{% $states.result.Payload %}',
  };
}

/** The parameters of a call, with its configuration unless that is the default. */
export const withRef = (input: Record<string, unknown>, configRef = 'default'): Record<string, unknown> =>
  configRef === 'default' ? input : { configRef, ...input };

/** `wanted`, or the first of `wanted-2`, `wanted-3`, … that is not taken yet, in either case; takes it. */
export function unused(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let at = 2; taken.has(name.toLowerCase()); at++) name = `${wanted}-${at}`;
  taken.add(name.toLowerCase());
  return name;
}

/** The state machine of a flow's calls, one after the other. */
export function machineOf(calls: readonly [name: string, state: Record<string, unknown>][]): Record<string, unknown> {
  const states = calls.map(([name, state], at) => {
    const next = calls[at + 1]?.[0];
    return [name, next === undefined ? { ...state, End: true } : { ...state, Next: next }] as const;
  });
  return { QueryLanguage: 'JSONata', StartAt: calls[0]![0], States: Object.fromEntries(states) };
}

/** A file of the application, with a row for each element of both connectors. */
interface ConvertedFile {
  readonly path: string;
  readonly rows: readonly Converted[];
  readonly others: readonly OtherElement[];
}

/** The report: for each file its rows, what each flow as a whole is, and what of it is not converted. */
export function reportOf(files: readonly ConvertedFile[]): string {
  return [
    '# Report of the migration',
    'Every element of both connectors, with its line. *Same* and *renamed* calls are complete; fill in the ' +
      'others by hand.',
    ...files.flatMap(sectionOf),
  ].join('\n\n');
}

function sectionOf({ path, rows: converted, others }: ConvertedFile): string[] {
  const rows = converted.map(({ from, status, call, toFillIn, notes }) => {
    const filled = Object.entries(toFillIn).map(([name, text]) => `fill in \`${name}\`: it was \`${oneLine(text)}\``);
    const what = [...filled, ...notes].join('; ').replaceAll('|', '\\|');
    return `| ${from.line} | \`${from.name}\` | ${status} | ${call ? `\`${call.operation}\`` : '–'} | ${what} |`;
  });
  const flows = Map.groupBy(converted, ({ from }) => from.flow);
  const carried = [...flows].filter(([, elements]) => isConsumer(elements)).map(([flow]) => flow);
  return [
    `## ${path}`,
    ['| line | element | status | operation | notes |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
    ...carried.map(
      (flow) =>
        `The flow \`${flow}\` reads a group and acknowledges what it processed. The function \`stream-consumer\` ` +
        'does that as a whole, in order and with retries: see "Move a consumer flow" in docs/guides/from-mule.md.',
    ),
    ...[...Map.groupBy(others, ({ flow }) => flow)].map(([flow, ofFlow]) => {
      const named = ofFlow.map(({ name, line }) => `\`${name}\` (line ${line})`);
      return `Of the flow \`${flow}\`, these elements of neither connector are yours to replace: ${named.join(', ')}.`;
    }),
  ];
}

function isConsumer(elements: readonly Converted[]): boolean {
  const names = elements.map(({ from }) => from.localName);
  return names.includes('xreadgroup') && names.includes('xack');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200);
