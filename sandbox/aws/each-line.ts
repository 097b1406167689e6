import type { Readable } from 'node:stream';

/** Hands over each line that is not empty. */
export function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines.filter(Boolean)) take(line);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}
