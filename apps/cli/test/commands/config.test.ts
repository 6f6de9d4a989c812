import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const VALID = `
defaults: { timeout: 5 }
targets:
  - url: https://node1:8443
    bearer_token_file: token
    headers: { X-Tenant: hunter2 }
    tls: { insecure: true }
  - server: http://me:hunter3@node2:8000/v1
    limits: { samples: 50000 }
  - url: node3:9400/metrics?api_key=hunter4
    interval: 1
    compressed: true
    basic_auth: { username: you, password: hunter5 }
`;

const folder = makeSuiteFolder();
writeFileSync(join(folder, 'token'), 't0ken');
writeFileSync(join(folder, 'valid.yaml'), VALID);
writeFileSync(join(folder, 'invalid.yaml'), 'defaults: { timeout: 1000, intervall: 1 }\n');

async function runConfig(...args: string[]): ReturnType<typeof runServelens> {
  return runServelens(['config', ...args], { cwd: folder });
}

test('shows the settings of each endpoint without secrets', async () => {
  const { code, out } = await runConfig('check', 'valid.yaml');
  expect(code).toBe(0);
  expect(out).toBe(`valid.yaml is valid: 3 endpoints

https://node1:8443/metrics
  interval       0.333 s
  timeout        5 s
  header         X-Tenant: <hidden>
  authorization  bearer, token from ${join(folder, 'token')}
  tls            certificate verification skipped

http://node2:8000/v1/metrics
  interval       0.333 s
  timeout        5 s
  authorization  basic, user "me", password <hidden>, from the URL
  tls            none
  limit          samples 50000

http://node3:9400/metrics?api_key=REDACTED
  interval       1 s
  timeout        5 s
  authorization  basic, user "you", password <hidden>
  tls            none
  compressed     yes
`);
});

test('shows all problems and exits with 1', async () => {
  const { code, out } = await runConfig('check', 'invalid.yaml');
  expect(code).toBe(1);
  expect(out).toContain(
    'invalid.yaml:1:22: invalid defaults.timeout: 1000; expected a number of seconds from 0.001 to 300\n',
  );
  expect(out).toContain('did you mean interval?');
  expect(out.endsWith('invalid.yaml: 2 problems\n')).toBe(true);
});

test.each([
  [['check', 'missing.yaml'], /cannot read the configuration file "missing.yaml": no such file or folder/],
  [['check'], /missing FILE; expected servelens config check/],
  [[], /missing command; expected servelens config COMMAND/],
])('rejects config %j and exits with 2', async (args, message) => {
  const { code, err } = await runConfig(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('--json describes the endpoints without secrets', async () => {
  const { code, out } = await runConfig('check', 'valid.yaml', '--json');
  expect(code).toBe(0);
  const document = JSON.parse(out);
  expect(document).toMatchObject({ file: 'valid.yaml', valid: true, servers: [] });
  expect(document.endpoints.map(({ url }: { url: string }) => url)).toEqual([
    'https://node1:8443/metrics',
    'http://node2:8000/v1/metrics',
    'http://node3:9400/metrics?api_key=REDACTED',
  ]);
  expect(document.endpoints[0].settings).toContainEqual({
    name: 'authorization',
    value: `bearer, token from ${join(folder, 'token')}`,
  });
  expect(out).not.toMatch(/hunter\d|t0ken/);
});

test('--json lists the problems of an invalid file', async () => {
  const { code, out } = await runConfig('check', 'invalid.yaml', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    valid: false,
    problems: [{ line: 1, column: 22 }, { line: 1 }],
  });
});

test('config expand --json has the words of the command line', async () => {
  writeFileSync(
    join(folder, 'run.yaml'),
    'benchmark: { model: m, endpoint: { url: "http://localhost:1", apiKey: hunter6 }, dataset: { type: synthetic, prompts: { isl: 8, osl: 4 } }, profiling: { type: concurrency, concurrency: 2, requests: 4 } }\n',
  );
  const { code, out } = await runConfig('expand', 'run.yaml', '--json');
  expect(code, out).toBe(0);
  const { runs, command, contents } = JSON.parse(out);
  expect(runs).toBe(1);
  expect(command).toEqual(expect.arrayContaining(['servelens', 'profile', '--model=m', '--concurrency=2']));
  expect(contents.benchmark.model).toBe('m');
  expect(out).not.toContain('hunter6');
});

test('config init --quiet prints nothing', async () => {
  expect(await runConfig('init', 'quiet.yaml', '-q')).toEqual({ code: 0, out: '', err: '' });
});
