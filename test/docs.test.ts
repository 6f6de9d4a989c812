import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkspaces, root } from './source.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`),
  ...readWorkspaces().map(({ folder }) => `${folder}/README.md`),
].filter(page => page.endsWith('.md') && existsSync(join(root, page)));

describe.each(pages)('%s', page => {
  const text = readFileSync(join(root, page), 'utf8');

  test('links only to existing files', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(match => match[1]!);
    const files = links.filter(link => !/^[a-z]+:/.test(link));
    expect(files.filter(link => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test('contains no placeholders', () => {
    expect(text).not.toMatch(/@@|TODO|FIXME|TBD/);
  });
});
