import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Lists the packages that a module imports statically, directly or through other modules of this package. */
function listStaticImports(
  path: string,
  packages = new Set<string>(),
  visited = new Set<string>(),
): string[] {
  if (visited.has(path)) return [];
  visited.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm);
  for (const [statement, name] of imports) {
    const isTypeOnly = /^\w+ \{(?:\s*type [\w\s]+,?)+\s*\}/.test(statement);
    if (isTypeOnly) continue;
    if (name!.startsWith('.')) listStaticImports(resolve(dirname(path), name!), packages, visited);
    else if (!name!.startsWith('node:')) packages.add(name!);
  }
  return [...packages].sort();
}

test.each([
  // While a collect run scrapes, the load generator, the export writers and the statistics must not take memory.
  [
    'index.ts',
    ['@org/core', '@org/gpu', '@org/loadgen/detect', '@org/record', '@org/record/journal', '@org/scrape'],
  ],
  // Load generators call `servelens mark` at the boundaries of their phases, so it must start quickly.
  ['marks/index.ts', ['@org/core', '@org/record']],
])('%s statically imports only small packages', (path, packages) => {
  expect(listStaticImports(resolve(import.meta.dirname, '../src', path))).toEqual(packages);
});
