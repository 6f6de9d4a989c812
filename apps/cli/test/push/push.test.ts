import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { expect, onTestFinished, test } from 'vitest';
import { decodeWrite, listSymbolSeries } from '../../../../packages/push/test/support/decode.ts';
import {
  accept,
  findFreePort,
  Receiver,
  type Respond,
  respondWith,
} from '../../../../packages/push/test/support/receiver.ts';
import { MODEL } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({});

async function startReceiver(respond: Respond = accept): Promise<{ receiver: Receiver; target: string }> {
  const receiver = new Receiver(respond);
  const target = await receiver.listen();
  onTestFinished(() => receiver.close());
  return { receiver, target };
}

/** Runs a short profile run in a folder, with further options. */
async function profile(cwd: string, args: readonly string[]) {
  const load = ['--concurrency', '2', '--request-count', '6', '--osl', '4', '--tokenizer', 'builtin'];
  const fixed = ['profile', '-m', MODEL, '--url', url, '--artifact-dir', 'run', ...load];
  return await runServelens([...fixed, ...args], { cwd, env: FAST_SCRAPES });
}

const readReport = (cwd: string, folder = 'run') =>
  JSON.parse(readFileSync(join(cwd, folder, 'push.json'), 'utf8'));

const readSeries = ({ requests }: Receiver): string =>
  requests.flatMap(({ body }) => listSymbolSeries(decodeWrite('Request', body))).join('\n');

test('profile pushes live values and its statistics, and records what was sent', async () => {
  const cwd = makeTestFolder();
  const { receiver, target } = await startReceiver();
  const args = ['--push', `remote-write=${target}`, '--push-label', 'team=search'];
  const { code, err } = await profile(cwd, args);
  expect(code, err).toBe(0);
  const document = JSON.parse(readFileSync(join(cwd, 'run/profile_export_aiperf.json'), 'utf8'));
  const id = document.benchmark_id;
  const series = readSeries(receiver);
  const labels = `gen_ai_operation_name="chat",gen_ai_request_model="${MODEL}",instance="${id}",job="servelens"`;
  expect(series).toContain(
    `servelens_client_requests_total{${labels},outcome="succeeded",phase="profiling",run_id="${id}",team="search"} 6 @`,
  );
  expect(series).toMatch(
    new RegExp(
      `servelens_result_client\\{.*metric="request_latency".*statistic="p99".*\\} ${document.request_latency.p99} @`,
    ),
  );
  expect(series).toMatch(/servelens_result_server\{.*metric="vllm:request_success".*\}/);
  const report = readReport(cwd);
  expect(report).toMatchObject({
    benchmark_ids: [id],
    receivers: [
      {
        protocol: 'remote-write',
        protocol_version: '2.0',
        url: `${target}/api/v1/write`,
        lost_values: { queue_full: 0, rejected: 0, undelivered: 0 },
      },
    ],
  });
  expect(err).toContain(`pushed ${report.receivers[0].sent_values} values to ${target}/api/v1/write`);
  const path = fromPath(join(cwd, 'run/push.json'));
  expect(await validate(path)).toMatchObject({ document: 'push', valid: true, issues: [] });
});

test('collect pushes the values of the servers', async () => {
  const cwd = makeTestFolder();
  const { receiver, target } = await startReceiver();
  const args = [
    'collect',
    '--url',
    url,
    '--duration',
    '0.5',
    '--artifact-dir',
    'run',
    '--push',
    `remote-write=${target}`,
  ];
  const { code, err } = await runServelens(args, { cwd, env: FAST_SCRAPES });
  expect(code, err).toBe(0);
  expect(readSeries(receiver)).toMatch(/servelens_endpoint_up\{endpoint="127.0.0.1:\d+",.*\} 1 @/);
  expect(readSeries(receiver)).toMatch(/servelens_result_server\{/);
  expect(readSeries(receiver)).not.toMatch(/gen_ai_/);
});

test('the runs of a sweep are pushed with their IDs, and recorded together', async () => {
  const cwd = makeTestFolder();
  const { receiver, target } = await startReceiver();
  const args = ['--num-profile-runs', '2', '--push', `remote-write=${target}`];
  const { code, err } = await profile(cwd, args);
  expect(code, err).toBe(0);
  const { benchmark_ids: ids } = readReport(cwd);
  expect(ids).toHaveLength(2);
  for (const id of ids)
    expect(readSeries(receiver)).toMatch(new RegExp(`servelens_result_client\\{.*run_id="${id}".*\\}`));
});

test.each([
  ['is down', undefined, '0.1', /not accepted in time\); last problem: connection refused$/m],
  ['rejects values', respondWith(400, {}, 'bad'), '60', /rejected\); last problem: HTTP 400: bad$/m],
  ['rejects the credentials', respondWith(401, {}, 'no the-secret-token'), '60', /HTTP 401: no <redacted>$/m],
])('a receiver that %s does not affect the run, and is logged once', async (_, respond, timeout, message) => {
  const cwd = makeTestFolder();
  const target = respond ? (await startReceiver(respond)).target : `http://127.0.0.1:${await findFreePort()}`;
  const header = ['--push-header', 'Authorization: Bearer the-secret-token', '--push-timeout', timeout];
  const { code, err, out } = await profile(cwd, ['--push', `otlp=${target}`, ...header]);
  expect(code, err).toBe(0);
  expect(err).toMatch(message);
  expect(err.match(/push to otlp=/g)).toHaveLength(1);
  const { receivers } = readReport(cwd);
  expect(receivers[0].sent_values).toBe(0);
  const { queue_full: full, rejected, undelivered } = receivers[0].lost_values;
  expect(full + rejected + undelivered).toBeGreaterThan(0);
  const files = readdirSync(join(cwd, 'run'), { recursive: true, encoding: 'utf8' })
    .map(name => join(cwd, 'run', name))
    .filter(path => path.includes('.'));
  const texts = [err, out, ...files.map(path => readFileSync(path, 'utf8'))];
  expect(texts.filter(text => text.includes('the-secret-token'))).toEqual([]);
});

test('a port that is in use is a warning', async () => {
  const cwd = makeTestFolder();
  const { target } = await startReceiver();
  const { port } = new URL(target);
  const { code, err } = await profile(cwd, ['--metrics-port', port]);
  expect(code, err).toBe(0);
  expect(err).toContain(`--metrics-port: cannot use port ${port}: the port is in use; the run continues`);
});

test('without receivers, no report is written', async () => {
  const cwd = makeTestFolder();
  const { code, err } = await profile(cwd, ['--metrics-port', '0']);
  expect(code, err).toBe(0);
  expect(err).toMatch(/metrics of this run: http:\/\/127\.0\.0\.1:\d+\/metrics/);
  expect(readdirSync(join(cwd, 'run'))).not.toContain('push.json');
});

test('servelens push sends the statistics of a run that has ended', async () => {
  const cwd = makeTestFolder();
  expect((await profile(cwd, [])).code).toBe(0);
  const { receiver, target } = await startReceiver();
  const args = [
    'push',
    'run',
    '--to',
    `remote-write=${target}`,
    '--push-label',
    'env=ci',
    '--time',
    'run',
    '--json',
  ];
  const { code, out, err } = await runServelens(args, { cwd });
  expect(code, err).toBe(0);
  const document = JSON.parse(readFileSync(join(cwd, 'run/profile_export_aiperf.json'), 'utf8'));
  expect(JSON.parse(out).benchmark_ids).toEqual([document.benchmark_id]);
  const lines = readSeries(receiver).split('\n');
  expect(lines).toHaveLength(JSON.parse(out).receivers[0].sent_values);
  expect(lines.find(line => line.startsWith('servelens_result_client'))).toContain('env="ci"');
  const times = new Set(lines.map(line => Number(line.split('@').at(-1))));
  expect(times.size).toBe(1);
  expect(Math.abs([...times][0]! - Date.parse(document.end_time))).toBeLessThan(60_000);
});

test('servelens push fails if a receiver does not accept all values', async () => {
  const cwd = makeTestFolder();
  expect((await profile(cwd, [])).code).toBe(0);
  const { target } = await startReceiver(respondWith(403));
  const { code, err } = await runServelens(['push', 'run', '--to', `otlp=${target}`], { cwd });
  expect(code).toBe(1);
  expect(err).toMatch(
    /^WARNING +push to otlp=.*: [\d,]+ of [\d,]+ values were lost \(\d+ rejected\); last problem: HTTP 403$/m,
  );
});

test('a receiver that is down does not change the exit code, and its losses are recorded', async () => {
  const cwd = makeTestFolder();
  const target = `http://127.0.0.1:${await findFreePort()}`;
  const load = ['--concurrency', '2', '--request-count', '6', '--osl', '4', '--tokenizer', 'builtin'];
  const push = ['--push', `otlp=${target}`, '--push-timeout', '2'];
  const args = ['profile', '-m', MODEL, '--url', url, '--artifact-dir', 'run', ...load, ...push];
  // Started as a process, so that the exit code also shows whether the event loop had work until the end.
  const { code, err } = await startServelens(args, { cwd, env: FAST_SCRAPES }).ended;
  expect(code, err).toBe(0);
  expect(err).toMatch(/values were lost \([\d,]+ not accepted in time\); last problem: connection refused$/m);
  const [receiver] = readReport(cwd).receivers;
  expect(receiver).toMatchObject({ sent_values: 0, last_problem: 'connection refused' });
  expect(receiver.lost_values.undelivered).toBeGreaterThan(0);
  expect(receiver.retries).toBeLessThan(receiver.requests);
});

test.each([
  [['missing', '--to', 'otlp=http://h'], 'no such file or folder'],
  [['.', '--to', 'otlp=http://h'], 'contains no server metrics'],
  [['.'], 'missing --to; set a receiver as --to PROTOCOL=URL'],
  [['.', '--to', 'otlp'], 'invalid --to: expected PROTOCOL=URL'],
])('servelens push %j is refused', async (args, message) => {
  const cwd = makeTestFolder();
  writeFileSync(join(cwd, 'other.txt'), '');
  const { code, err } = await runServelens(['push', ...args], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
