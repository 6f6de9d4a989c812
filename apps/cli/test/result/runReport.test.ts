import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunReport } from '../../src/result/runReport.ts';
import { MODEL } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 3, arrivalRate: 20 });
const UNREACHABLE = 'http://127.0.0.1:9';
const PROFILE = ['profile', '--model', MODEL, '--request-count', '2', '--ui', 'none', '--no-gpu-telemetry'];

/** The document of `--json`, as far as tests read it. */
interface RunDocument {
  readonly folder: string;
  readonly problems: readonly { readonly level: string; readonly message: string }[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly runs: readonly { readonly folder: string }[];
}

/** Runs a command with `--json`, and parses its output, which must be one document. */
async function readDocument(...args: string[]) {
  const cwd = makeTestFolder();
  const { code, out, err } = await runServelens([...args, '--json', '--artifact-dir', 'run'], {
    cwd,
    env: FAST_SCRAPES,
  });
  const document = JSON.parse(out) as RunDocument;
  expect(document).toMatchObject({ command: args[0], exit_code: code, folder: join(cwd, 'run') });
  for (const { path, bytes } of document.files) expect(statSync(path).size, path).toBe(bytes);
  return { code, err, document };
}

test('collect prints its files and the summary of the run', async () => {
  const { code, document } = await readDocument('collect', '--url', url, '--duration', '1', '--ui', 'none');
  expect(code).toBe(0);
  // On a busy machine, late scrapes are a warning.
  expect(document.problems.filter(({ level }) => level === 'error')).toEqual([]);
  expect(document).toMatchObject({
    outcome: 'success',
    failed: [],
    summary: { run: 'run', endpoints: [{ url: `${url}/metrics`, state: 'ok' }], servers: [{ name: 'vLLM' }] },
  });
  expect(document.files.map(({ path }) => path)).toContain(
    join(document.folder, 'server_metrics_export.json'),
  );
});

test('collect reports why it failed', async () => {
  const args = ['collect', '--url', UNREACHABLE, '--duration', '0.1', '--quiet'];
  const { code, document, err } = await readDocument(...args);
  expect(code).toBe(1);
  expect(document).toMatchObject({ outcome: 'failure' });
  const errors = document.problems.filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toEqual([
    'no endpoint returned data, so the exports contain no metrics',
  ]);
  expect(err).toContain(errors[0]!.message);
});

test('the output of a command goes to stderr, and its exit code into the document', async () => {
  const script = 'console.log("bench done"); process.exit(7)';
  const cwd = makeTestFolder();
  const { code, out, err } = await startServelens(
    ['collect', '--url', url, '--json', '-o', 'run', '--', process.execPath, '-e', script],
    { cwd, env: FAST_SCRAPES },
  ).ended;
  expect(code).toBe(7);
  expect(err).toContain('bench done\n');
  expect(err).not.toContain('vLLM');
  expect(JSON.parse(out)).toMatchObject({ exit_code: 7, outcome: 'failure', folder: join(cwd, 'run') });
});

test('profile prints the errors of its requests', async () => {
  const { code, document } = await readDocument(...PROFILE.with(2, 'unknown'), '--url', url);
  expect(code).toBe(1);
  expect(document).toMatchObject({
    outcome: 'failure',
    // A busy machine adds warnings.
    problems: expect.arrayContaining([{ level: 'error', message: 'all 2 requests failed' }]),
    requests: { succeeded: 0, failed: 2 },
    errors: [{ error_details: { code: 404, message: expect.stringContaining('unknown') }, count: 2 }],
  });
});

test('profile prints the metrics of its export, and the page of --auto-plot', async () => {
  const { code, document } = await readDocument(...PROFILE, '--url', url, '--auto-plot');
  expect(code).toBe(0);
  expect(document).toMatchObject({
    outcome: 'success',
    requests: { succeeded: 2, failed: 0, cancelled: 0 },
    metrics: {
      request_count: { unit: 'requests', avg: 2 },
      request_latency: { unit: 'ms', p99: expect.any(Number) },
    },
    summary: { endpoints: [{ url: `${url}/metrics` }] },
  });
  const names = document.files.map(({ path }) => path);
  expect(names).toContain(join(document.folder, 'profile_export_aiperf.json'));
  expect(names.filter(name => name.endsWith('.html'))).toHaveLength(1);
});

test('a sweep has an entry for each run', async () => {
  const { code, document } = await readDocument(
    ...[...PROFILE, '--url', url, '--no-server-metrics', '--concurrency', '1,2'],
  );
  expect(code).toBe(0);
  expect(document.runs).toMatchObject([
    { variation: 'concurrency_1', parameters: { concurrency: 1 }, repeat: 1, outcome: 'success' },
    {
      parameters: { concurrency: 2 },
      requests: { succeeded: 2, failed: 0 },
      metrics: { request_throughput: { unit: 'requests/sec', avg: expect.any(Number) } },
    },
  ]);
  for (const run of document.runs) expect(existsSync(run.folder), run.folder).toBe(true);
});

test('an invalid command prints no document', async () => {
  const cwd = makeTestFolder();
  const { code, out } = await runServelens(['collect', '--json'], { cwd });
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('the document of a run that failed without a result has its folder', () => {
  const report = new RunReport('profile');
  report.setFolder('/runs/a');
  expect(report.toDocument(1)).toMatchObject({ folder: '/runs/a', outcome: 'failure', files: [] });
});
