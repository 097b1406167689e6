import { html, render } from 'htm/preact';
import { App } from './app.ts';
import type { Document } from './document.ts';
import { DeployedPaths } from './value-choice.ts';

const root = document.getElementById('app')!;

try {
  const response = await fetch('openapi.json');
  const hint = response.status === 404 ? '; deploy api-openapi, too' : '';
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}${hint}`);
  const openapi = (await response.json()) as Document;
  const paths = Object.keys(openapi.paths);
  render(html`<${DeployedPaths.Provider} value=${paths}><${App} document=${openapi} /><//>`, root);
} catch (error) {
  root.textContent = `The reference could not be loaded: ${(error as Error).message}`;
}
