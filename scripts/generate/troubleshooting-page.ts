import { CAUSES, type Cause } from '#lib/contract/causes.ts';
import type { GeneratedFile } from './generated-file.ts';
import { pageWith, tableOf } from './tables.ts';

/** The page of causes and cures, with the tables of the texts that errors have made anew. */
export function troubleshootingPage(): Promise<GeneratedFile> {
  const parts = Object.entries({
    Secret: 'secret-',
    Redis: 'redis-',
    'Master data API': 'mdm-',
    'Lambda target': 'target-',
  });
  const sections = parts.map(([title, prefix]) => {
    const causes = Object.entries(CAUSES).filter(([name]) => name.startsWith(prefix));
    const rows = causes.map(([, cause]) => rowOf(cause));
    return `### ${title}\n\n${tableOf(['what you see', 'why', 'what to do'], rows)}`;
  });
  return pageWith('docs/guides/troubleshooting.md', { causes: sections.join('\n\n') });
}

function rowOf({ seen, detail, why, hint }: Cause): string[] {
  const text = detail.replaceAll(/(\{\w+\})+/g, '…');
  const shown = text === '…' ? '' : ` “${text}”`;
  return [`${seen}${shown}`, why, hint].map((cell) => cell.replaceAll('<', '\\<'));
}
