import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** The tokens that have a colour: a name with its colon, another string, a literal, a number. */
const TOKENS = /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|\b(true|false|null)\b|(-?\d[\d.eE+-]*)/g;
const CLASSES = ['name', 'string', 'literal', 'number'];
/** Beyond that, each change would take the browser too long. */
const MAX_LENGTH = 50_000;

/** JSON text in colours; other text as it is. */
export function colour(text: string): (VNode | string)[] {
  if (text.length > MAX_LENGTH || !/^\s*[{["]/.test(text)) return [text];
  const parts: (VNode | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = CLASSES[match.slice(1).findIndex((group) => group !== undefined)]!;
    parts.push(text.slice(end, match.index), html`<span class=${`json-${kind}`}>${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
