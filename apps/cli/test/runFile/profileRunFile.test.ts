import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecordingServer } from '../support/recordingServer.ts';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
const server = await startRecordingServer();

function write(text: string): void {
  writeFileSync(join(folder, 'run.yaml'), text);
}

async function profile(...args: string[]): ReturnType<typeof runServelens> {
  server.requests.length = 0;
  const { code, out, err } = await runServelens(['profile', '--config', 'run.yaml', ...args], {
    cwd: folder,
    env: { KEY: 'hunter2' },
  });
  return { code, out, err };
}

const TEXT = `schemaVersion: "2.0"
variables: { n: 2 }
benchmark:
  model: m
  endpoint: { url: "${server.url}", streaming: true, apiKey: "\${KEY}", extra: { top_k: 3 } }
  dataset: { type: file, records: [{ text: first }, { text: second }] }
  profiling: { type: concurrency, concurrency: "{{ n }}", requests: "{{ n * 3 }}" }
  artifacts: { dir: out }
plot: {}
`;

test('sends the requests that the file describes', async () => {
  write(TEXT);
  const { code, err } = await profile();
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(server.requests).toHaveLength(6);
  const [request] = server.requests;
  expect(request!.headers.authorization).toBe('Bearer hunter2');
  expect(request!.body).toMatchObject({ model: 'm', stream: true, top_k: 3 });
  expect(JSON.stringify(server.requests.map(({ body }) => body.messages))).toMatch(/first.*second/);
  expect(err).toContain('run.yaml: plot has no effect here');
  const document = readFileSync(join(folder, 'out/profile_export_aiperf.json'), 'utf8');
  expect(document).not.toContain('hunter2');
});

test('the temporary file with the requests is deleted after the run', async () => {
  write(TEXT);
  const listFolders = (): string[] =>
    readdirSync(tmpdir()).filter(name => existsSync(join(tmpdir(), name, 'records.jsonl')));
  const before = listFolders();
  await profile('--artifact-dir', 'out2');
  expect(listFolders().filter(name => !before.includes(name))).toEqual([]);
});

test('options of the command line take precedence', async () => {
  write(TEXT);
  const { code } = await profile('--request-count', '1', '--no-streaming', '--artifact-dir', 'out3');
  expect(code).toBe(0);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]!.body.stream).not.toBe(true);
});

test('an invalid value names the line of the file and the option', async () => {
  write(TEXT.replace('"{{ n * 3 }}"', '0'));
  const { code, err } = await profile();
  expect(code).toBe(2);
  expect(err).toContain('invalid --request-count "0"');
  expect(err).toMatch(/\nrun\.yaml:7:\d+: benchmark\.profiling\.requests sets --request-count\n/);
});

test('an option that is not available names the line of the file and the alternative', async () => {
  write(`${TEXT}  wandb: { project: p }\n`.replace('plot: {}\n  wandb', '  wandb'));
  const { code, err } = await profile();
  expect(code).toBe(2);
  expect(err).toContain(
    "AIPerf's --wandb-project is not available yet; instead, upload the files of the run after it has ended",
  );
  expect(err).toMatch(/\nrun\.yaml:9:\d+: benchmark\.wandb\.project sets --wandb-project\n/);
});

test('a file that is not valid is refused with all problems', async () => {
  write('benchmark: { x: 1, endpoint: { y: 2 } }\n');
  const { code, err } = await profile();
  expect(code).toBe(2);
  expect(err).toContain('invalid configuration file run.yaml:\nrun.yaml:1:14: unknown key "x"');
  expect(err).toContain('run.yaml:1:32: unknown key "y"');
});

test('a file in JSON has the same meaning', async () => {
  write(
    JSON.stringify({
      benchmark: {
        model: 'm',
        endpoint: { url: server.url },
        phases: [{ name: 'profiling', type: 'concurrency', requests: 2 }],
        artifacts: { dir: 'out4' },
      },
    }),
  );
  const { code } = await profile();
  expect(code).toBe(0);
  expect(server.requests).toHaveLength(2);
});

test('scrapes the endpoints of the same file with their credentials', async () => {
  write(
    `${TEXT.replace('dir: out', 'dir: out5')}targets: [{ url: "${server.url}/a", headers: { X-A: b } }]\n`,
  );
  server.scrapes.length = 0;
  expect((await profile()).code).toBe(0);
  const paths = server.scrapes.filter(({ headers }) => headers['x-a'] === 'b').map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(['/a/metrics']));
});

test('a file of endpoints keeps its meaning', async () => {
  write(`targets: [{ url: "${server.url}/b" }]\n`);
  const { code } = await profile(
    '--model',
    'm',
    '--url',
    server.url,
    '--request-count',
    '1',
    '--artifact-dir',
    'out6',
  );
  expect(code).toBe(0);
  expect(server.requests).toHaveLength(1);
});
