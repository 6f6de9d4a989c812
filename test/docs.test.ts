import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkspaces, root } from './source.ts';

const workspaces = readWorkspaces();
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.md'))
  .map(name => join('docs', name));
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...docs,
  ...workspaces.map(({ folder }) => join(folder, 'README.md')),
].filter(page => existsSync(join(root, page)));

/** A link to another file of the repository, or to a heading of the same page. */
interface Link {
  /** Path relative to the root. For a link within a page, the path of the page. */
  readonly file: string;
  readonly anchor: string;
}

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

function listLinks(page: string): Link[] {
  return [...readPage(page).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target]) => !/^[a-z]+:/.test(target!))
    .map(([, target, anchor = '']) => ({
      file: target === '' ? page : join(dirname(page), target!),
      anchor,
    }));
}

/** Returns the anchors that GitHub generates for the headings of a page. */
function listAnchors(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

/** Returns the rows of tables that have more or fewer cells than the head of their table. */
function listUnevenRows(page: string): string[] {
  const countCells = (row: string): number => row.replaceAll('\\|', '').split('|').length;
  const prose = readPage(page).replaceAll(/^```.*?^```/gms, '');
  return [...prose.matchAll(/^\|[^\n]*\n\| ?:?-[^\n]*\n(?:\|[^\n]*(?:\n|$))*/gm)].flatMap(([table]) => {
    const [head, , ...rows] = table.trimEnd().split('\n');
    return rows.filter(row => countCells(row) !== countCells(head!));
  });
}

describe.each(pages)('%s', page => {
  test('links only to existing files', () => {
    expect(listLinks(page).filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  test('links only to existing headings', () => {
    const broken = listLinks(page).filter(
      ({ file, anchor }) => anchor !== '' && file.endsWith('.md') && !listAnchors(file).includes(anchor),
    );
    expect(broken).toEqual([]);
  });

  test('refers only to existing paths', () => {
    const paths = [
      ...readPage(page).matchAll(/`((?:apps|benchmarks|docs|packages|schemas|test)\/[\w./-]+)`/g),
    ].map(match => match[1]!);
    expect(
      paths.filter(path => !existsSync(join(root, path)) && !existsSync(join(root, dirname(page), path))),
    ).toEqual([]);
  });

  test('has as many cells in each row of a table as in its head', () => {
    expect(listUnevenRows(page)).toEqual([]);
  });

  test('contains no placeholders', () => {
    expect(readPage(page)).not.toMatch(/@@|TODO|FIXME|TBD/);
  });
});

test('the table of contents links to every page', () => {
  const index = join('docs', 'README.md');
  const linked = new Set([index]);
  for (const page of [index, join('docs', 'decisions', 'README.md'), join('docs', 'servers', 'README.md')])
    for (const { file } of listLinks(page)) linked.add(file);
  expect(docs.filter(page => !linked.has(page))).toEqual([]);
});

describe('the third-party dependencies in docs/architecture.md', () => {
  const section = readPage(join('docs', 'architecture.md')).split('## Third-party dependencies')[1]!;
  const [runtime] = section.split('### Development');
  const rootManifest = JSON.parse(readPage('package.json')) as { devDependencies: Record<string, string> };

  function isListed(text: string, name: string): boolean {
    return text.includes(`\`${name}\``);
  }

  test('list every runtime dependency with the packages that use it', () => {
    const missing = workspaces.flatMap(({ folder, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
        .filter(name => !name.startsWith('@org/'))
        .filter(name => {
          const row = runtime!.split('\n').find(line => line.startsWith('|') && isListed(line, name));
          const [, , users = ''] = row?.split('|') ?? [];
          return !users.includes(basename(folder));
        })
        .map(name => `${folder}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('list every development dependency', () => {
    const names = [rootManifest, ...workspaces.map(({ manifest }) => manifest)].flatMap(
      ({ devDependencies }) => Object.keys(devDependencies ?? {}),
    );
    expect(names.filter(name => !name.startsWith('@org/') && !isListed(section, name))).toEqual([]);
  });

  test('list no other packages', () => {
    const used = new Set(
      [rootManifest, ...workspaces.map(({ manifest }) => manifest)].flatMap(manifest =>
        Object.keys({
          ...('dependencies' in manifest ? manifest.dependencies : {}),
          ...('optionalDependencies' in manifest ? manifest.optionalDependencies : {}),
          ...manifest.devDependencies,
        }),
      ),
    );
    const listed = section
      .split('\n')
      .filter(line => line.startsWith('| `'))
      .flatMap(line => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(match => match[1]!));
    expect(listed.filter(name => !used.has(name))).toEqual([]);
  });
});
