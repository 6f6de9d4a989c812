import { describe, expect, test } from 'vitest';
import { packageName, readSources, readWorkspaces, resolveImport, type Source } from './source.ts';

/**
 * Packages that each package may import, as drawn in docs/architecture.md. Tests may import more
 * (devDependencies).
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '@org/core': [],
  '@org/formats': [],
  '@org/scrape': ['@org/core'],
  '@org/simulator': ['@org/core'],
  '@org/servers': [],
  '@org/terminal': [],
  '@org/analysis': ['@org/core', '@org/formats', '@org/servers'],
  '@org/reader': ['@org/core', '@org/formats', '@org/servers', '@org/analysis', '@org/terminal'],
  '@org/loadgen': ['@org/core'],
  '@org/record': ['@org/core', '@org/formats', '@org/scrape', '@org/loadgen'],
  '@org/run': ['@org/core', '@org/formats', '@org/scrape', '@org/loadgen', '@org/record', '@org/servers'],
  '@org/cli': [
    '@org/core',
    '@org/formats',
    '@org/scrape',
    '@org/loadgen',
    '@org/record',
    '@org/run',
    '@org/reader',
    '@org/servers',
    '@org/simulator',
    '@org/terminal',
  ],
  '@org/benchmarks': [
    '@org/core',
    '@org/formats',
    '@org/scrape',
    '@org/loadgen',
    '@org/reader',
    '@org/simulator',
  ],
};

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
  const imported = new Set(sources.flatMap(source => source.imports.filter(one => !one.startsWith('.'))));

  test('imports and depends on allowed packages only', () => {
    const ours = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(one =>
      one.startsWith('@org/'),
    );
    expect(ours.filter(one => !ALLOWED[name]!.includes(one))).toEqual([]);
    const seen = [...imported].map(packageName).filter(one => one.startsWith('@org/'));
    expect(seen.filter(one => !ALLOWED[name]!.includes(one))).toEqual([]);
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
    const foreign = [...imported].filter(one => !one.startsWith('node:')).map(packageName);
    expect(foreign.filter(one => !declared.includes(one))).toEqual([]);
  });

  test('imports no third-party package reserved for other packages', () => {
    const taken = Object.keys(RESERVED).filter(
      one => !RESERVED[one]!.includes(name) && name !== '@org/benchmarks',
    );
    expect([...imported].map(packageName).filter(one => taken.includes(one))).toEqual([]);
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
      imports.some(one => one.startsWith('node:')) || /\b(process|Buffer|require)\b[.(]/.test(text),
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
    for (const one of source.imports)
      if (one.startsWith('.')) visit(resolveImport(source, one), [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}
