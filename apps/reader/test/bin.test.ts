import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../packages/analysis/test/documents.ts';

const BIN = fileURLToPath(new URL('../bin/servelens-reader.js', import.meta.url));

const { path: folder, remove } = createTempFolder('bin');
afterAll(remove);

/** Runs the built program and returns the URLs of the modules that it loaded, one per line. */
function listLoadedModules(args: readonly string[]): string {
  const coverage = join(folder, args.join(' '));
  mkdirSync(coverage);
  execFileSync(process.execPath, [BIN, ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    stdio: 'ignore',
  });
  return readdirSync(coverage)
    .flatMap(file => readFileSync(join(coverage, file), 'utf8').match(/"url":"file:[^"]*"/g) ?? [])
    .join('\n');
}

test.each([
  [['--help'], 'reader/dist/main.js'],
  [['query', '--help'], 'reader/dist/query/command.js'],
])('%j loads neither yargs nor the statistics', (args, commandModule) => {
  const loaded = listLoadedModules(args);
  expect(loaded).toContain(commandModule);
  expect(loaded).not.toMatch(
    /yargs|core\/dist\/(?!systemError|numberFormat|shellWord)|analysis\/dist\/(?!files|run\/(input|runFiles))/,
  );
});
