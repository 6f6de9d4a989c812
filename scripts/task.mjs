// The root's npm scripts: brings the pinned package manager, installs from the lockfile, and hands over to turbo.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', npm_config_yes: 'true' };

/** Runs a program in the root; returns its exit code. */
function attempt(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, ...options });
  if (error) throw error;
  return status ?? 1;
}

/** Runs a program in the root; ends this process with its exit code when it fails. */
function run(command, args, options) {
  const status = attempt(command, args, options);
  if (status !== 0) process.exit(status);
}

function pnpm(how, ...args) {
  return how('npx', ['--yes', packageManager, ...args], { shell: process.platform === 'win32' });
}

function turbo(...args) {
  pnpm(run, 'exec', 'turbo', 'run', ...args);
}

/** Builds what a task needs; what is said of it goes to stderr, since stdout is for the task's results. */
function prepare(...filters) {
  const toStderr = (command, args, options) =>
    run(command, args, { ...options, stdio: ['inherit', 2, 'inherit'] });
  pnpm(toStderr, 'exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only');
}

/** Installs what the lockfile says, unless that is what is installed already. */
function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const lockfile = join(root, 'pnpm-lock.yaml');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lockfile).mtimeMs) return;
  pnpm(run, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only', '--loglevel=warn');
  writeFileSync(stamp, '');
}

/** Runs a built script of the benchmarks. */
function benchmark(name, args) {
  run(process.execPath, [join(root, 'benchmarks', 'dist', `${name}.js`), ...args]);
}

const [task = '', ...args] = process.argv.slice(2);

const tasks = {
  build: () => turbo('build'),
  demo: () => {
    prepare('--filter=@org/cli...');
    run(process.execPath, [join(root, 'scripts', 'demo.mjs'), ...args]);
  },
  test: () => {
    const checks = ['typecheck', 'typecheck:house', 'lint', 'lint:house', 'test', 'test:house'];
    // As many at a time as there are cores: each has workers of its own, and tests have time limits.
    const how = ['--continue=dependencies-successful', '--concurrency=100%', '--summarize'];
    // The tally reads what the one run that is there says of its checks.
    rmSync(join(root, '.turbo', 'runs'), { recursive: true, force: true });
    const status = pnpm(attempt, 'exec', 'turbo', 'run', ...checks, ...how);
    // What failed is named and counted, too.
    run(process.execPath, [join(root, 'scripts', 'tally.mjs')]);
    if (status !== 0) process.exit(status);
  },
  bench: () => {
    prepare();
    benchmark('bench', args);
  },
  parity: () => {
    prepare();
    benchmark('parity', args);
  },
  conformance: () => {
    prepare();
    benchmark('conformance', args);
  },
};

if (!Object.hasOwn(tasks, task)) {
  console.error(`no task ${JSON.stringify(task)}; there are ${Object.keys(tasks).join(', ')}`);
  process.exit(2);
}
install();
tasks[task]();
