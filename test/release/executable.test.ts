import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildExecutable } from '../../scripts/release/executable.mjs';
import { buildWheel } from '../../scripts/release/wheel.mjs';
import { root } from '../source.ts';
import { Buildah, isBuildahInstalled } from './support/container.ts';
import { EXECUTABLE_NODE, installNodeBinaries } from './support/nodeBinaries.ts';

const VERSION: string = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8')).version;

// Neither Node nor another program can be found.
const EMPTY = { PATH: '' };

describe('the executable, without Node and without environment variables', () => {
  let work = '';
  let executable = '';
  let server: ChildProcess;
  let url = '';

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'executable-'));
    const node = installNodeBinaries().get(EXECUTABLE_NODE) ?? process.execPath;
    executable = await buildExecutable({ folder: work, node });
    server = spawn(executable, ['simulate', '--port', '0', '--arrival-rate', '0'], {
      cwd: work,
      env: EMPTY,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: server.stdout! })) {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
      if (url !== '') break;
    }
  });

  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
    rmSync(work, { recursive: true });
  });

  const run = (args: readonly string[], env: NodeJS.ProcessEnv = EMPTY) =>
    spawnSync(executable, args, { cwd: work, encoding: 'utf8', env });

  test('prints its version and the help of a command', () => {
    expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(run(['profile', '--help'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('measures a server with two threads, serves the page of the run, and writes valid exports', () => {
    const load = ['--streaming', '--concurrency', '4', '--request-count', '20', '--osl', '10'];
    const profile = run([
      ...['profile', '--model', 'servelens/simulated-8b', '--url', url, ...load],
      ...['--workers', '2', '--web', '0', '--tokenizer', 'builtin', '--artifact-dir', 'run'],
      ...['--push', `remote-write=${url}`, '--push', `otlp=${url}`, '--network-latency-automatic'],
    ]);
    expect(profile, profile.stderr).toMatchObject({ status: 0 });
    expect(profile.stdout + profile.stderr).toMatch(/page of this run: http:/);
    // The server is no receiver: its response shows that the thread of the pushes has sent values.
    const { receivers } = JSON.parse(readFileSync(join(work, 'run/push.json'), 'utf8'));
    for (const receiver of receivers) expect(receiver.last_problem).toMatch(/^HTTP 4/);
    expect(receivers).toHaveLength(2);
    const { network_rtt } = JSON.parse(readFileSync(join(work, 'run/profile_export_aiperf.json'), 'utf8'));
    expect(network_rtt.avg).toBeGreaterThan(0);
    expect(run(['validate', 'run'])).toMatchObject({ status: 0 });
    expect(run(['read', 'summary', 'run'])).toMatchObject({ status: 0, stderr: '' });
    expect(run(['read', 'report', 'run', '--output', 'run.html'])).toMatchObject({ status: 0 });
    expect(readFileSync(join(work, 'run.html'), 'utf8')).toContain('<script');
  });

  test('checks a configuration file with the schema that it contains', () => {
    expect(run(['config', 'init', 'servelens.yaml'])).toMatchObject({ status: 0 });
    expect(run(['config', 'check', 'servelens.yaml'])).toMatchObject({ status: 0 });
  });

  test('queries a run if DuckDB is in the folder servelens-modules, and otherwise prints how to install it', () => {
    const query = ['read', 'query', 'run', 'SELECT count(*) > 0 AS found FROM samples', '--format', 'json'];
    const missing = run(query);
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(/npm install --prefix '.*servelens-modules' @duckdb\/node-api@\d/);
    const scope = join(work, 'servelens-modules/node_modules/@duckdb');
    mkdirSync(scope, { recursive: true });
    symlinkSync(join(root, 'apps/reader/node_modules/@duckdb/node-api'), join(scope, 'node-api'));
    const found = run(query);
    expect(found, found.stderr).toMatchObject({ status: 0 });
    expect(found.stdout).toContain('true');
  });

  test('becomes a wheel that pip installs as a command', () => {
    const wheel = buildWheel({ folder: work, executable, notices: join(work, 'THIRD_PARTY_NOTICES') });
    const environment = join(work, 'environment');
    execFileSync('python3', ['-m', 'venv', environment]);
    const install = ['install', '--quiet', '--no-index', '--disable-pip-version-check', wheel];
    execFileSync(join(environment, 'bin/pip'), install);
    const installed = spawnSync(join(environment, 'bin/servelens'), ['--version'], {
      encoding: 'utf8',
      env: EMPTY,
    });
    expect(installed).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
    const files = execFileSync(join(environment, 'bin/pip'), ['show', '--files', 'servelens'], {
      encoding: 'utf8',
    });
    for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES']) expect(files).toContain(`licenses/${name}`);
  });

  // Debian's package buildah
  test.skipIf(!isBuildahInstalled())('becomes an image with the Containerfile, which runs servelens', () => {
    const buildah = new Buildah(join(work, 'buildah'));
    buildah.createBase('localhost/base', executable);
    const context = join(work, 'context/release-files');
    mkdirSync(context, { recursive: true });
    for (const name of ['servelens', 'THIRD_PARTY_NOTICES'])
      copyFileSync(join(work, name), join(context, name));
    const options = ['--isolation', 'chroot', '--pull=never', '--build-arg', 'BASE=localhost/base'];
    const file = ['--file', join(root, 'Containerfile')];
    buildah.run('build', ...options, '--tag', 'servelens', ...file, join(work, 'context'));
    const container = buildah.run('from', '--pull-never', 'servelens');
    const format = '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}';
    expect(buildah.run('inspect', '--format', format, container)).toBe('[/usr/local/bin/servelens] /work');
    const command = ['/usr/local/bin/servelens', '--version'];
    expect(buildah.run('run', '--isolation', 'chroot', container, ...command)).toBe(VERSION);
  });
});
