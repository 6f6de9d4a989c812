// The repository, its version, and the names under which releases are published.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Scope of the packages in this repository. Releases use the scope in names.json. */
export const SOURCE_SCOPE = '@org';

/** @type {{ scope: string, npmPackage: string, pythonPackage: string, command: string }} */
export const names = readJson(join(root, 'scripts/release/names.json'));

/** Reads a JSON file. */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a program, and returns its stdout. Throws an error with its output if it fails. */
export function execute(program, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    ...options,
  });
  if (error) throw new Error(`cannot run ${program}: ${error.message}`);
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed (exit code ${status}):\n${stdout}${stderr}`);
  return stdout;
}
