import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, readWorkspaces, root } from './source.ts';

const FOLDER = join(root, 'docs/decisions');
const pages = readdirSync(FOLDER).filter(name => /^\d/.test(name));
const sources = readWorkspaces()
  .flatMap(readSources)
  .map(({ text }) => text)
  .join('\n');

/** Returns the paths and names in the last section of a page, which lists the code that implements the decision. */
function readReferences(page: string): string[] {
  const [, section = ''] = readFileSync(join(FOLDER, page), 'utf8').split('\n## Implementation\n');
  return [...section.matchAll(/`([^`\s]+)`/g)].map(match => match[1]!);
}

describe.each(pages)('%s', page => {
  test('has all sections', () => {
    const headings = readFileSync(join(FOLDER, page), 'utf8').match(/^## .*$/gm);
    expect(headings).toEqual(['## Rule', '## Reason', '## Consequences', '## Implementation']);
  });

  test('refers only to existing paths, functions and types', () => {
    const missing = readReferences(page).filter(name =>
      name.includes('/') ? !existsSync(join(root, name)) : !new RegExp(`\\b${name}\\b`).test(sources),
    );
    expect(missing).toEqual([]);
  });
});

test('the index lists every page with its title', () => {
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  for (const page of pages) {
    const [, number, title] = /^# (\d+): (.*)$/m.exec(readFileSync(join(FOLDER, page), 'utf8'))!;
    expect(index).toContain(`- [${number}](${page}): ${title}\n`);
  }
});
