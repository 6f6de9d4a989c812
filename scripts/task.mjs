// Implements the npm scripts of the root package: downloads the pinned pnpm, installs the dependencies from the
// lockfile, and runs turbo.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', npm_config_yes: 'true' };

/** Runs a program in the root folder and returns its exit code. */
function spawnAndWait(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, ...options });
  if (error) throw error;
  return status ?? 1;
}

/** Runs a program in the root folder and exits with its exit code if it fails. */
function run(command, args, options) {
  const status = spawnAndWait(command, args, options);
  if (status !== 0) process.exit(status);
}

/**
 * Runs the pinned pnpm with `runner`, a function with the parameters of `spawnAndWait`. Returns the result of
 * `runner`.
 */
function pnpm(runner, ...args) {
  return runner('npx', ['--yes', packageManager, ...args], { shell: process.platform === 'win32' });
}

function turbo(...args) {
  pnpm(run, 'exec', 'turbo', 'run', ...args);
}

/** Builds the packages that a task needs. Prints to stderr, because stdout is reserved for the task. */
function prepare(...filters) {
  const toStderr = (command, args, options) =>
    run(command, args, { ...options, stdio: ['inherit', 2, 'inherit'] });
  pnpm(toStderr, 'exec', 'turbo', 'run', 'build', ...filters, '--output-logs=errors-only');
}

/** Installs the dependencies if the lockfile has changed since the last installation. */
function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const lockfile = join(root, 'pnpm-lock.yaml');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lockfile).mtimeMs) return;
  pnpm(run, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only', '--loglevel=warn');
  writeFileSync(stamp, '');
}

/** Runs a script from the build output of the benchmarks. */
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
  docs: () => {
    prepare();
    const script = args[0] === '--pictures' ? 'updatePictures.mjs' : 'updateDocs.mjs';
    run(process.execPath, [join(root, 'scripts', script), ...args]);
  },
  test: () => {
    const checks = [
      'typecheck',
      'typecheck:repository',
      'lint',
      'lint:repository',
      'test',
      'test:repository',
    ];
    // At most one task per core, because each task starts several workers, and tests have timeouts.
    const options = ['--continue=dependencies-successful', '--concurrency=100%', '--summarize'];
    // tally.mjs expects the summary of this run only.
    rmSync(join(root, '.turbo', 'runs'), { recursive: true, force: true });
    const status = pnpm(spawnAndWait, 'exec', 'turbo', 'run', ...checks, ...options);
    // The failures and totals are printed even if a check failed.
    run(process.execPath, [join(root, 'scripts', 'tally.mjs')]);
    if (status !== 0) process.exit(status);
  },
  bench: () => {
    prepare();
    benchmark('bench', args);
  },
  parity: () => {
    prepare();
    benchmark('parity/main', args);
  },
  conformance: () => {
    prepare();
    benchmark('conformance/main', args);
  },
  peers: () => {
    prepare('--filter=@org/cli...');
    const peers = args.length > 0 ? args.join(',') : 'all';
    run(
      process.execPath,
      [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', 'test/peers'],
      {
        env: { ...env, SERVELENS_PEERS: peers },
      },
    );
  },
  'release-files': () => {
    prepare('--filter=@org/cli...');
    run(process.execPath, [join(root, 'scripts', 'release', 'main.mjs'), ...args]);
  },
  'release-check': () => {
    prepare('--filter=@org/cli...');
    run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', 'test/release']);
  },
  'compare-exports': () => {
    prepare('--filter=@org/cli...');
    run(process.execPath, [join(root, 'scripts', 'compareExports.mjs'), ...args]);
  },
};

if (!Object.hasOwn(tasks, task)) {
  console.error(`unknown task ${JSON.stringify(task)}; expected one of ${Object.keys(tasks).join(', ')}`);
  process.exit(2);
}
install();
tasks[task]();
