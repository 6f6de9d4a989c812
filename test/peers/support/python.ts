import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runOrThrow } from './command.ts';

/** A range of Python versions, such as 3.11 to 3.13. */
export interface PythonVersions {
  readonly min: readonly [major: number, minor: number];
  readonly max: readonly [major: number, minor: number];
}

const PIP_OPTIONS = [
  '--quiet',
  '--disable-pip-version-check',
  '--no-input',
  '--retries',
  '2',
  '--timeout',
  '30',
];

/** Program that prints the version of a Python which can create virtual environments with pip. */
const PRINT_VERSION = 'import ensurepip, venv, sys; print(*sys.version_info[:2])';

/**
 * Finds a Python with the modules venv and ensurepip: $SERVELENS_PYTHON, or the first suitable one of the usual names.
 * Throws with the result of each candidate if there is none.
 */
export function findPython({ min, max }: PythonVersions): string {
  const versions = Array.from({ length: max[1] - min[1] + 1 }, (_, i) => `python3.${min[1] + i}`);
  const preferred = process.env.SERVELENS_PYTHON;
  const candidates = [...(preferred ? [preferred] : []), 'python3', '/usr/bin/python3', ...versions];
  const problems: string[] = [];
  for (const candidate of candidates) {
    const problem = findProblem(candidate, { min, max });
    if (problem === undefined) return candidate;
    problems.push(`${candidate} ${problem}`);
  }
  const range = `${min.join('.')} to ${max.join('.')}`;
  throw new Error(
    `no Python ${range} with the modules venv and ensurepip: ${problems.join('; ')}; install python3-venv or set SERVELENS_PYTHON`,
  );
}

function findProblem(python: string, { min, max }: PythonVersions): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(python, ['-c', PRINT_VERSION], { encoding: 'utf8' });
  if (error) return 'does not exist';
  if (status !== 0) return `fails: ${stderr.trim().split('\n').at(-1)}`;
  const [major = 0, minor = 0] = stdout.trim().split(' ').map(Number);
  const isInRange = major === min[0] && minor >= min[1] && minor <= max[1];
  return isInRange ? undefined : `has version ${major}.${minor}`;
}

/**
 * Creates a virtual environment in `folder` and installs the requirements file into it. The file must list every
 * package with its version, because dependencies are not resolved.
 */
export async function installRequirements(
  python: string,
  folder: string,
  requirements: string,
  timeoutMs: number,
): Promise<void> {
  await runOrThrow(python, ['-m', 'venv', folder], { timeoutMs });
  const options = [...PIP_OPTIONS, '--no-deps', '--no-compile'];
  await runOrThrow(join(folder, 'bin/pip'), ['install', ...options, '-r', requirements], { timeoutMs });
}

/** Runs a script with the Python of a virtual environment and parses its output as JSON. Throws if the script fails. */
export async function runScript(
  folder: string,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return JSON.parse(await runOrThrow(join(folder, 'bin/python'), [script, ...args], { env }));
}
