import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Styled text on a terminal; plain text in a file or a pipe, and with NO_COLOR. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}
