import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAST_SCRAPES, runServelens } from './support/servelens.ts';
import { makeSuiteFolder } from './support/temporaryFolder.ts';

/** The definition of a server that only the user knows. */
const DEFINITION = `
name: Mine
recognize: { prefixes: [mine_] }
key_metrics:
  - { name: mine_requests, stat: total, meaning: requests that ended }
roles:
  running: { metrics: [mine_running], operation: sum }
  completed_requests: { metrics: [mine_requests], operation: total }
reconciliation:
  requests: [{ name: mine_requests, of: total }]
  generation_tokens: [{ name: mine_tokens, of: total }]
`;

const REQUESTS = 6;
const TOKENS = 5;

/** Answers chat requests, and counts them in metrics of its own. */
function createEngine(): RequestListener {
  let requests = 0;
  return (request, response) => {
    if (request.url === '/metrics') {
      response.setHeader('content-type', 'text/plain');
      response.end(
        `# TYPE mine_requests_total counter\nmine_requests_total ${requests}\n# TYPE mine_tokens_total counter\nmine_tokens_total ${TOKENS * requests}\n# TYPE mine_running gauge\nmine_running 0\n`,
      );
      return;
    }
    request.resume();
    requests += 1;
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: 'a b c d e' };
    const usage = { prompt_tokens: 7, completion_tokens: TOKENS };
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
  };
}

const folder = makeSuiteFolder();
const engine = createServer(createEngine());
let url: string;
let screen: string;

beforeAll(async () => {
  writeFileSync(join(folder, 'mine.yaml'), DEFINITION);
  await new Promise<void>(resolve => engine.listen(0, '127.0.0.1', resolve));
  url = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  screen = await profile(
    ...['--request-count', `${REQUESTS}`, '--servers', 'mine.yaml', '--artifact-dir', 'run'],
    ...['--keep-journal', '--server-metrics-formats', 'json,csv,jsonl,parquet'],
  );
}, 120_000);
afterAll(() => {
  engine.closeAllConnections();
  engine.close();
});

/** Runs a command in the folder of the test. Returns its output on stdout. */
async function servelens(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await runServelens(words, { cwd: folder, env: FAST_SCRAPES });
  expect(code, err).toBe(0);
  return out;
}

function profile(...options: readonly string[]): Promise<string> {
  return servelens('profile', '--model', 'm', '--url', url, ...options);
}

/** Returns the server in a summary; undefined if it is not recognized. */
async function summarize(path: string, ...options: readonly string[]): Promise<object | undefined> {
  const { servers } = JSON.parse(
    await servelens('read', 'summary', '--json', join(folder, path), ...options),
  );
  return servers.find(({ name }: { readonly name: string }) => name === 'Mine');
}

function readJson(...path: readonly string[]): {
  readonly servelens_config: { readonly server_definitions?: readonly { readonly name: string }[] };
  readonly reconciliation: object;
} {
  return JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
}

const COUNTED = { server: 'Mine', requests: { difference: 0 }, generation_tokens: { difference: 0 } };

test('the run that defines a server reconciles its counts with it', () => {
  expect(readJson('run', 'profile_export_aiperf.json').reconciliation).toMatchObject(COUNTED);
  expect(screen).toContain('Mine counted exactly the requests of the client');
});

test('the end of the run lists the metrics of the defined server', () => {
  expect(screen).toMatch(/^ Mine .*\n requests +6 /m);
});

test.each(['profile_export_aiperf.json', 'server_metrics_export.json'])(
  '%s contains the definition',
  file => {
    const [definition] = readJson('run', file).servelens_config.server_definitions!;
    expect(definition).toMatchObject({ name: 'Mine', recognize: { prefixes: ['mine_'] } });
  },
);

test.each(['run', 'run/server_metrics_export.json', 'run/server_metrics_export.parquet'])(
  'the summary of %s knows the server without the option',
  async path => {
    expect(await summarize(path)).toBeDefined();
  },
);

test.each(['run/server_metrics_export.csv', 'run/server_metrics_export.jsonl'])(
  'the summary of %s, which has no options of the run, knows the server with the option',
  async path => {
    expect(await summarize(path)).toBeUndefined();
    expect(await summarize(path, '--servers', 'mine.yaml')).toBeDefined();
  },
);

test('the option replaces the recorded definition', async () => {
  writeFileSync(
    join(folder, 'other.yaml'),
    DEFINITION.replace(
      'mine_requests, stat: total, meaning: requests that ended',
      'mine_tokens, stat: total, meaning: tokens',
    ),
  );
  expect(await summarize('run', '--servers', 'other.yaml')).toMatchObject({
    metrics: [{ name: 'mine_tokens' }],
  });
});

test('recover writes the exports with the recorded definition', async () => {
  mkdirSync(join(folder, 'killed'));
  for (const file of ['server_metrics.journal', 'profile_export.jsonl'])
    cpSync(join(folder, 'run', file), join(folder, 'killed', file));
  await servelens('recover', 'killed');
  const document = readJson('killed', 'profile_export_aiperf.json');
  expect(document.reconciliation).toMatchObject(COUNTED);
  expect(document.servelens_config.server_definitions).toHaveLength(1);
  expect(await summarize('killed')).toBeDefined();
});

test.each(['journal', 'parquet', 'jsonl'])('export from %s keeps the definition', async source => {
  await servelens('export', 'run', '--from', source, '--output', source);
  expect(await summarize(source)).toBeDefined();
});

test('export adds the definition of the option to a run without it', async () => {
  await profile('--request-count', '2', '--keep-journal', '--artifact-dir', 'plain');
  expect(await summarize('plain')).toBeUndefined();
  await servelens('export', 'plain', '--servers', 'mine.yaml', '--output', 'explained');
  expect(await summarize('explained')).toBeDefined();
});

test('files of AIPerf do not contain the definition', async () => {
  await servelens('export', 'run', '--compat', 'aiperf-0.13', '--formats', 'json', '--output', 'aiperf');
  expect(readJson('aiperf', 'server_metrics_export.json').servelens_config).toBeUndefined();
});

test('an invalid definition in an export is ignored with one sentence', async () => {
  const document = readJson('run', 'server_metrics_export.json');
  const broken = [{ name: 'Mine', recognize: { prefixes: 5 } }];
  const text = JSON.stringify({ ...document, servelens_config: { server_definitions: broken } });
  writeFileSync(join(folder, 'broken.json'), text);
  const { notes, servers } = JSON.parse(
    await servelens('read', 'summary', '--json', join(folder, 'broken.json')),
  );
  expect(notes).toEqual([expect.stringMatching(/^server definition 1 of the run is ignored: .*prefixes/)]);
  expect(servers.map(({ name }: { readonly name: string }) => name)).toEqual(['Unknown server']);
});

test('a configuration file names the definitions of its runs', async () => {
  writeFileSync(join(folder, 'servelens.yaml'), `targets: [{ url: "${url}" }]\nservers: [mine.yaml]\n`);
  await servelens(
    'collect',
    '--config',
    'servelens.yaml',
    '--duration',
    '0.5',
    '--artifact-dir',
    'collected',
  );
  expect(await summarize('collected')).toBeDefined();
  expect(await servelens('config', 'check', 'servelens.yaml')).toContain('1 server definition');
});

test('a sweep uses the definition in each run', async () => {
  await profile(
    ...['--concurrency', '1,2', '--request-count', '2', '--servers', 'mine.yaml', '--artifact-dir', 'sweep'],
  );
  for (const variation of ['concurrency_1', 'concurrency_2'])
    expect(readJson('sweep', variation, 'profile_export_aiperf.json').reconciliation).toMatchObject(COUNTED);
});
