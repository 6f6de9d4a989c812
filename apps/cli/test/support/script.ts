import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const SRC = resolve(import.meta.dirname, '../../src');

/**
 * Runs a script in a process of its own, for what would change the process of the tests, and returns what it prints. Files of
 * ours that it imports are named from `src`.
 */
export function runScript(folder: string, script: string, ...flags: string[]): string {
  const built = buildSync({
    stdin: { contents: script, resolveDir: SRC, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const path = join(folder, `script-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(path, built.outputFiles[0]!.text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, path], {
    encoding: 'utf8',
    timeout: 150_000,
  });
  if (status !== 0) throw new Error(`the script ended with ${status}: ${stderr}`);
  return stdout.trim();
}
