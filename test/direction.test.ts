import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getPackageName, readSources, readWorkspaces, resolveImport, root, type Source } from './source.ts';

/**
 * Packages that each package may import: the block after `<!-- dependencies -->` in docs/architecture.md. Tests may import more
 * (devDependencies).
 */
const ALLOWED: ReadonlyMap<string, readonly string[]> = readDrawing(
  readFileSync(join(root, 'docs', 'architecture.md'), 'utf8'),
);

function readDrawing(page: string): Map<string, string[]> {
  const [, block = ''] = /<!-- dependencies -->\n```\n([^`]*)```/.exec(page) ?? [];
  const lines = block.trim().split('\n');
  return new Map(
    lines.map(line => {
      const [name = '', imported = ''] = line.split('->').map(part => part.trim());
      return [
        `@org/${name}`,
        imported
          .split(/\s+/)
          .filter(Boolean)
          .map(other => `@org/${other}`),
      ];
    }),
  );
}

test('docs/architecture.md draws every package, and no cycle', () => {
  expect([...ALLOWED.keys()].sort()).toEqual(
    readWorkspaces()
      .map(({ name }) => name)
      .sort(),
  );
  const drawn: string[] = [];
  for (const [name, imported] of ALLOWED) {
    // Each package is drawn below the packages that it imports, so there can be no cycle.
    expect(
      imported.filter(other => !drawn.includes(other)),
      name,
    ).toEqual([]);
    drawn.push(name);
  }
});

test('no package imports an app', () => {
  const apps = readWorkspaces().filter(({ folder }) => folder.startsWith('apps/'));
  for (const { name, folder } of readWorkspaces()) {
    if (!folder.startsWith('packages/')) continue;
    expect(
      ALLOWED.get(name)!.filter(other => apps.some(app => app.name === other)),
      name,
    ).toEqual([]);
  }
});

/** Third-party packages that only these packages may import. */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  undici: ['@org/scrape', '@org/loadgen'],
  '@dsnp/parquetjs': ['@org/formats'],
};

/** Packages that a build bundles, so that they are not dependencies. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@org/cli': ['@org/simulator'],
  '@org/formats': ['@dsnp/parquetjs'],
};

describe.each(readWorkspaces())('$name', workspace => {
  const { name, manifest } = workspace;
  const sources = readSources(workspace);
  const imported = new Set(sources.flatMap(source => source.imports.filter(name => !name.startsWith('.'))));

  test('imports and depends on allowed packages only', () => {
    const ours = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(other =>
      other.startsWith('@org/'),
    );
    expect(ours.filter(other => !ALLOWED.get(name)!.includes(other))).toEqual([]);
    const seen = [...imported].map(getPackageName).filter(other => other.startsWith('@org/'));
    expect(seen.filter(other => !ALLOWED.get(name)!.includes(other))).toEqual([]);
  });

  test('declares every package that it imports', () => {
    const bundled = BUNDLED[name] ?? [];
    const declared = [
      ...Object.keys({
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      }),
      ...bundled,
    ];
    const foreign = [...imported].filter(name => !name.startsWith('node:')).map(getPackageName);
    expect(foreign.filter(other => !declared.includes(other))).toEqual([]);
  });

  test('imports no third-party package reserved for other packages', () => {
    const taken = Object.keys(RESERVED).filter(
      other => !RESERVED[other]!.includes(name) && name !== '@org/benchmarks',
    );
    expect([...imported].map(getPackageName).filter(other => taken.includes(other))).toEqual([]);
  });

  test('has no import cycles', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test('exports names one by one', () => {
    expect(sources.filter(({ text }) => /^export \*/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

test('core imports no node: module and uses no global of Node', () => {
  const core = readWorkspaces().find(({ name }) => name === '@org/core')!;
  const impure = readSources(core).filter(
    ({ imports, text }) =>
      imports.some(other => other.startsWith('node:')) || /\b(process|Buffer|require)\b[.(]/.test(text),
  );
  expect(impure.map(({ path }) => path)).toEqual([]);
});

/**
 * Returns the import cycles of a package, including those of type imports, which make code as hard to follow.
 */
function findImportCycles(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map(source => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    const source = byPath.get(path);
    if (!source || done.has(path)) return;
    for (const specifier of source.imports)
      if (specifier.startsWith('.')) visit(resolveImport(source, specifier), [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}
