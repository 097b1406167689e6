import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Text in a style on a terminal; as it is in a file or a pipe, and where NO_COLOR is set. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}
