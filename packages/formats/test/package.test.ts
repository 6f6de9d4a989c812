import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest: {
  readonly dependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Packages that the build bundles, so that they are not installed with this package. */
const BUNDLED = ['@dsnp/parquetjs'];
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(name => /(?<!\.d)\.(ts|js)$/.test(name))
  .map(name => [name, listImports(readFileSync(join(root, 'src', name), 'utf8'))] as const);

function listImports(source: string): string[] {
  return [
    ...source.matchAll(
      /(?:^|\n)(?:import|export)[^'\n;]*?(?:\{[^}]*\})?[^'\n;]*?from '([^']+)'|import\(['"]([^'"]+)['"]\)/g,
    ),
  ].map(match => (match[1] ?? match[2])!);
}

describe('the package', () => {
  it('depends on no workspace package, so that it can be installed alone', () => {
    expect(Object.keys(manifest.dependencies).filter(name => name.startsWith('@org/'))).toEqual([]);
  });

  it('imports only declared packages, and not ajv, because validators are generated', () => {
    const packages = sources.flatMap(([, names]) => names.filter(name => !/^(node:|\.)/.test(name)));
    const names = new Set(
      packages.map(name =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    );
    const declared = [...Object.keys(manifest.dependencies), ...BUNDLED];
    for (const name of names) expect(declared).toContain(name);
    expect(names).not.toContain('ajv');
  });

  it('does not evaluate code from strings', () => {
    for (const [name] of sources)
      expect(readFileSync(join(root, 'src', name), 'utf8'), name).not.toMatch(/\beval\(|new Function\(/);
  });

  it('has no import cycle', () => {
    const edges = new Map(
      sources.map(([name, names]) => [
        name,
        names.filter(other => other.startsWith('.')).map(other => join(name, '..', other)),
      ]),
    );
    expect(edges.get('validate/validate.ts')?.length).toBeGreaterThan(5);
    const checked = new Set<string>();
    const visit = (name: string, trail: readonly string[]): void => {
      expect(trail, `cycle: ${[...trail, name].join(' -> ')}`).not.toContain(name);
      if (checked.has(name)) return;
      for (const other of edges.get(name) ?? []) visit(other, [...trail, name]);
      checked.add(name);
    };
    for (const [name] of sources) visit(name, []);
  });
});
