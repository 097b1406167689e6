import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '#scripts/build/root.ts';
import { projectFiles } from '#test/support/project-files.ts';

const files = projectFiles('*.md');

describe('links between the pages of the documentation', () => {
  it.each(files)('the links of %s lead somewhere', (file) => {
    expect(linksOf(file).filter((link) => !leadsSomewhere(file, link))).toEqual([]);
  });

  it('the index links to every guide', () => {
    const index = linksOf('docs/README.md').map((link) => join('docs', link));

    for (const guide of files.filter((path) => path.startsWith('docs/guides/'))) expect(index).toContain(guide);
  });
});

/** Targets of links and images to files of the repository. */
function linksOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path);
  if (!existsSync(target) || relative(ROOT, target).startsWith('..')) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
