import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** Text with `code` in backticks, as in the contracts' descriptions. */
export function prose(text: string): (VNode | VNode[] | string)[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** JSON text with line breaks and unchanged numbers: parsing would round those beyond 2^53. */
export function indentJson(text: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return text
    .replaceAll(/"(?:[^"\\]|\\.)*"|[^\s"]|\s+/g, (token) => {
      if (token.startsWith('"')) return token;
      switch (token) {
        case '{':
        case '[':
          depth++;
          return `${token}${line()}`;
        case '}':
        case ']':
          depth--;
          return `${line()}${token}`;
        case ',':
          return `,${line()}`;
        case ':':
          return ': ';
        default:
          return token.trim();
      }
    })
    .replaceAll(/([{[])\s+([}\]])/g, '$1$2');
}
