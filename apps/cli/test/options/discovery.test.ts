import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { collectCommand } from '../../src/commands/collect.ts';
import { profileCommand } from '../../src/commands/profile.ts';
import { readConfigOption } from '../../src/options/configOption.ts';
import { readConnection } from '../../src/options/connection.ts';
import { checkDiscovery, readDiscovery } from '../../src/options/discovery.ts';
import { readProfileOptions } from '../../src/profile/profileOptions.ts';
import { createIo } from '../support/io.ts';
import { writeSampleFiles } from '../support/optionSamples.ts';
import { readCollect, splitWords } from '../support/options.ts';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
writeSampleFiles(cwd);
const io = createIo(cwd);
const PODS = '--discovery kubernetes --kubeconfig kube.json';

async function read(line: string) {
  const raw = parseCommandLine(collectCommand, splitWords(line), '');
  const file = await readConfigOption(raw, io);
  return await readDiscovery(raw, io, readConnection(raw, cwd), file);
}

test('without sources, nothing is loaded', async () => {
  expect(await read('--url a:1')).toBeUndefined();
  expect(await read('--discovery disabled')).toBeUndefined();
  expect(await read('--discovery auto')).toBeUndefined();
});

test.each<[string, unknown]>([
  ['--discovery-namespace *', { namespace: '*' }],
  ['--discovery-label-selector app=vllm', { label_selector: 'app=vllm' }],
  ['--discovery-annotations', { annotations: true }],
  ['--discovery-monitors', { monitors: true }],
  ['--discovery-proxy', { proxy: true }],
  ['--kube-context second', { context: 'second' }],
  ['--discovery-wait 1m', { wait: 60 }],
  ['--discovery-optional', { optional: true }],
  ['--discovery-timeout 5', { timeout_seconds: 5 }],
  ['--server-metrics-source file_sd:sd.json --discovery-refresh 5', { refresh: 5 }],
])('reads %s', async (line, settings) => {
  const discovery = await read(`${PODS} ${line}`);
  expect(discovery!.settings).toEqual({
    mode: 'kubernetes',
    kubeconfig: join(cwd, 'kube.json'),
    ...(settings as object),
  });
});

test('reads the sources of --server-metrics-source, with paths relative to the working directory', async () => {
  const discovery = await read('--server-metrics-source file_sd:sd.json dns:localhost:8000 --timeout 3');
  expect(discovery!.sources).toEqual([
    { spec: { kind: 'file_sd', path: join(cwd, 'sd.json') }, access: { timeoutMs: 3000 } },
    { spec: { kind: 'dns', url: 'http://localhost:8000' }, access: { timeoutMs: 3000 } },
  ]);
});

test('options take precedence over a configuration file, and sources are joined', async () => {
  const discovery = await read(
    '--config discovery.yaml --discovery-timeout 7 --server-metrics-source dns:a:1',
  );
  expect(discovery!.settings).toEqual({
    mode: 'kubernetes',
    kubeconfig: join(cwd, 'kube.json'),
    timeout_seconds: 7,
    namespace: 'team',
  });
  expect(discovery!.sources.map(({ spec }) => spec)).toEqual([
    { kind: 'dns', url: 'http://a:1' },
    { kind: 'file_sd', path: join(cwd, 'sd.json') },
  ]);
});

test('reads the headers and credentials of requests to the servers of sources', async () => {
  const source =
    '--server-metrics-source prometheus:http://p:1 file_sd:sd.json --discovery-header X-Tenant:a';
  const discovery = await read(`${source} --discovery-bearer-token-file token`);
  const [prometheus, file] = discovery!.sources;
  expect(await prometheus!.request!.authorization!.readHeader()).toBe('Bearer secret-token');
  expect(prometheus).toMatchObject({ request: { headers: { 'X-Tenant': 'a' } }, access: {} });
  expect(prometheus!.access.authorization).toBeUndefined();
  expect(file!.request).toBeUndefined();
});

test('requests of a source have its own settings in a configuration file', async () => {
  const request = { headers: { 'X-Tenant': 'b' }, basic_auth_file: 'basic' };
  const config = { sources: [{ source: 'http_sd:http://h:1', bearer_token: 'k', request }] };
  writeFileSync(join(cwd, 'request.yaml'), JSON.stringify(config));
  const discovery = await read('--config request.yaml');
  const [source] = discovery!.sources;
  expect(await source!.request!.authorization!.readHeader()).toBe(`Basic ${btoa('user:password')}`);
  expect(source!.request!.headers).toEqual({ 'X-Tenant': 'b' });
  expect(await source!.access.authorization!.readHeader()).toBe('Bearer k');
});

test('in a pod without a service account, nothing is loaded', async () => {
  const pod = { ...io, env: { ...io.env, KUBERNETES_SERVICE_HOST: '10.0.0.1' } };
  expect(await readDiscovery({}, pod, {})).toBeUndefined();
});

test.each([
  [
    '--server-metrics-source file_sd:sd.json --discovery-header A:b',
    '--discovery-header has no effect without a source on a server; add --server-metrics-source http_sd:URL',
  ],
  [
    '--server-metrics-source http_sd:a:1 --discovery-bearer-token-file none',
    'invalid --discovery-bearer-token-file',
  ],
  [
    '--server-metrics-source http_sd:a:1 --discovery-bearer-token-file token --discovery-basic-auth-file basic',
    'cannot use both --discovery-bearer-token-file and --discovery-basic-auth-file',
  ],
  ['--server-metrics-source x:y', 'invalid source "x:y": unknown kind of source'],
  ['--discovery-namespace A --discovery kubernetes', 'invalid --discovery-namespace "A": expected the name'],
  ['--kubeconfig kube.json', '--kubeconfig has no effect without pods; add --discovery kubernetes'],
  ['--discovery-wait 1', '--discovery-wait has no effect without a source; add --server-metrics-source'],
  [`${PODS} --discovery-refresh 1`, '--discovery-refresh has no effect without a source that is read again'],
  [
    `${PODS} --discovery-annotations --discovery-label-selector a=b`,
    '--discovery-annotations has no effect with a label selector',
  ],
  [`${PODS} --no-server-metrics`, 'cannot use both --discovery and --no-server-metrics'],
  [`${PODS} --kube-context x`, 'the kubeconfig has no context "x"; expected one of first, second'],
  ['--discovery kubernetes --kubeconfig none', 'cannot read the kubeconfig'],
])('rejects %s', async (line, message) => {
  const options = read(line);
  await expect(options).rejects.toThrow(UsageError);
  await expect(options).rejects.toThrow(message);
});

test('collect runs with sources only, and passes them to the run', async () => {
  const { plan, discovery } = await readCollect(splitWords('--server-metrics-source file_sd:sd.json'), cwd);
  expect(plan.targets).toEqual([]);
  expect(plan.sources!.map(({ name }) => name)).toEqual([`file_sd ${JSON.stringify(join(cwd, 'sd.json'))}`]);
  expect(discovery!.fallback).toEqual({ serverUrls: [], hasFallback: false });
});

test('profile passes sources to the run, and pods replace the endpoint of --url', async () => {
  const line = `--model m --url a:1 --server-metrics b:2 ${PODS}`;
  const raw = parseCommandLine(profileCommand, splitWords(line), '');
  const discovery = await readDiscovery(raw, io, {});
  const { plan } = readProfileOptions(raw, io, undefined, [], discovery);
  expect(plan.targets.map(({ url }) => url)).toEqual(['http://b:2/metrics']);
  expect(plan.sources!.map(({ name }) => name)).toEqual(['kubernetes namespace "first"']);
});

test('TLS options apply to the endpoints of sources', async () => {
  const { plan } = await readCollect(
    splitWords('--url a:1 --insecure --server-metrics-source file_sd:sd.json'),
    cwd,
  );
  expect(plan.sources).toHaveLength(1);
});

test('logs that it waits', async () => {
  const lines: string[] = [];
  const discovery = await read('--server-metrics-source file_sd:sd.json --discovery-wait 5');
  const fallback = { serverUrls: [], hasFallback: false };
  await checkDiscovery(discovery!, fallback, { info: line => void lines.push(line) });
  expect(lines).toEqual(['waiting up to 5 s for endpoints of the sources']);
});

test.each(['profile --model m --url 127.0.0.1:9', 'collect --duration 1'])(
  '%s ends before the run if a source cannot be read',
  async command => {
    const words = splitWords(`${command} --server-metrics-source file_sd:none.json`);
    const { code, err } = await runServelens(words, { cwd });
    const path = JSON.stringify(join(cwd, 'none.json'));
    expect(err).toMatch(/^servelens: file_sd .*\n$/);
    expect(err).toContain(`file_sd ${path}: cannot read the file: no such file`);
    expect(code).toBe(2);
  },
);

test('a cluster that is not reachable ends the command before the run', async () => {
  const { code, err } = await runServelens(splitWords(`collect ${PODS} --duration 1`), { cwd });
  expect(err).toBe(
    'servelens: kubernetes namespace "first": cannot list pods in namespace "first": http://127.0.0.1:9 is not reachable: connection refused\n',
  );
  expect(code).toBe(2);
});
