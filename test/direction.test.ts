import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getPackageName, readSources, readWorkspaces, resolveImport, root, type Source } from './source.ts';

/**
 * Workspace packages that each package may import, from the block after `<!-- dependencies -->` in
 * docs/architecture.md. Tests may also import devDependencies.
 */
const ALLOWED: ReadonlyMap<string, readonly string[]> = parseDependencies(
  readFileSync(join(root, 'docs', 'architecture.md'), 'utf8'),
);

function parseDependencies(page: string): Map<string, string[]> {
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

test('docs/architecture.md lists every package, without cycles', () => {
  expect([...ALLOWED.keys()].sort()).toEqual(
    readWorkspaces()
      .map(({ name }) => name)
      .sort(),
  );
  const listed: string[] = [];
  for (const [name, imported] of ALLOWED) {
    // Each package is listed after the packages that it imports, so there are no cycles.
    expect(
      imported.filter(other => !listed.includes(other)),
      name,
    ).toEqual([]);
    listed.push(name);
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

/** Third-party packages, and the only packages that may import them. */
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  undici: ['@org/scrape', '@org/loadgen', '@org/importer'],
  '@dsnp/parquetjs': ['@org/formats'],
};

/** Packages that a package bundles at build time instead of depending on them. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@org/cli': ['@org/simulator'],
  '@org/formats': ['@dsnp/parquetjs'],
};

describe.each(readWorkspaces())('$name', workspace => {
  const { name, manifest } = workspace;
  const sources = readSources(workspace);
  const imported = new Set(sources.flatMap(source => source.imports.filter(name => !name.startsWith('.'))));

  test('imports and depends on only the allowed packages', () => {
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
      other => other.startsWith('@org/'),
    );
    expect(dependencies.filter(other => !ALLOWED.get(name)!.includes(other))).toEqual([]);
    const imports = [...imported].map(getPackageName).filter(other => other.startsWith('@org/'));
    expect(imports.filter(other => !ALLOWED.get(name)!.includes(other))).toEqual([]);
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
    const packages = [...imported].filter(name => !name.startsWith('node:')).map(getPackageName);
    expect(packages.filter(other => !declared.includes(other))).toEqual([]);
  });

  test('imports no third-party package reserved for other packages', () => {
    const forbidden = Object.keys(RESERVED).filter(
      other => !RESERVED[other]!.includes(name) && name !== '@org/benchmarks',
    );
    expect([...imported].map(getPackageName).filter(other => forbidden.includes(other))).toEqual([]);
  });

  test('has no import cycles', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });

  test('has no wildcard exports', () => {
    expect(sources.filter(({ text }) => /^export \*/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

test('core imports no node: modules and uses no Node.js globals', () => {
  const core = readWorkspaces().find(({ name }) => name === '@org/core')!;
  const violations = readSources(core).filter(
    ({ imports, text }) =>
      imports.some(other => other.startsWith('node:')) || /\b(process|Buffer|require)\b[.(]/.test(text),
  );
  expect(violations.map(({ path }) => path)).toEqual([]);
});

/** Finds the import cycles of a package. Type imports count, because they make code just as hard to follow. */
function findImportCycles(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map(source => [source.path, source]));
  const visited = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    const source = byPath.get(path);
    if (!source || visited.has(path)) return;
    for (const specifier of source.imports)
      if (specifier.startsWith('.')) visit(resolveImport(source, specifier), [...trail, path]);
    visited.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}
