import { html, render } from 'htm/preact';
import { App } from './app.ts';
import type { Document } from './document.ts';

const root = document.getElementById('app')!;

try {
  const response = await fetch('openapi.json');
  const hint = response.status === 404 ? '; deploy api-openapi, too' : '';
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}${hint}`);
  render(html`<${App} document=${(await response.json()) as Document} />`, root);
} catch (error) {
  root.textContent = `The reference could not be loaded: ${(error as Error).message}`;
}
