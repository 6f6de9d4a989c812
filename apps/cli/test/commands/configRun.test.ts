import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();

async function runConfig(...args: string[]): ReturnType<typeof runServelens> {
  return runServelens(['config', ...args], { cwd: folder, env: { KEY: 'hunter2' } });
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const RUN = `schemaVersion: "2.0"
multiRun: { numRuns: 2 }
sweep: { type: grid, parameters: { concurrency: [1, "{{ n }}"] } }
variables: { n: 4 }
benchmark:
  model: m
  endpoint:
    url: http://me:hunter3@h:1
    headers: { X-Tenant: hunter4 }
  profiling: { type: concurrency, duration: 5s }
  metrics: {}
targets:
  - url: h:2
    bearer_token: "\${KEY}"
`;

test('config check names the runs of a valid file, and its endpoints', async () => {
  write('run.yaml', RUN);
  const { code, out } = await runConfig('check', 'run.yaml');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^run\.yaml is valid: 4 runs \(2 variations, 2 times each\) of servelens profile\nrun\.yaml: benchmark\.metrics has no effect here\n\nrun\.yaml is valid: 1 endpoint\n/,
    ),
  });
});

test('config check names every problem of the options with its line and path', async () => {
  write(
    'wrong.yaml',
    'benchmark:\n  model: m\n  endpoint:\n    type: x\n  wandb:\n    project: a\n  profiling:\n    type: concurrency\n    concurrency: many\n',
  );
  const { code, out } = await runConfig('check', 'wrong.yaml');
  expect(code).toBe(1);
  expect(out.split('\n')).toEqual([
    expect.stringContaining('wrong.yaml:4:11: benchmark.endpoint.type: invalid --endpoint-type "x"'),
    expect.stringContaining("wrong.yaml:6:14: benchmark.wandb.project: AIPerf's --wandb-project"),
    expect.stringContaining('wrong.yaml:9:18: benchmark.profiling.concurrency: invalid --concurrency "many"'),
    'wrong.yaml: 3 problems',
    '',
  ]);
});

test('config check reports an option that is missing', async () => {
  write('empty.yaml', 'benchmark: {}\n');
  const { code, out } = await runConfig('check', 'empty.yaml');
  expect({ code, out }).toEqual({
    code: 1,
    out: 'empty.yaml:1:1: missing --model; expected a model name\nempty.yaml: 1 problem\n',
  });
});

test('config expand shows the file, the plan and the command line without secrets', async () => {
  write('run.yaml', RUN);
  const { code, out } = await runConfig('expand', 'run.yaml');
  expect(code).toBe(0);
  expect(out).not.toMatch(/hunter\d/);
  expect(out).toContain('concurrency:\n      - 1\n      - 4\n');
  expect(out).toContain('X-Tenant: <redacted>');
  expect(out).toMatch(/^runs +4 runs \(2 variations, 2 times each\)$/m);
  expect(out).toMatch(/^load +concurrency 1, 5 s$/m);
  expect(out).toMatch(/\nservelens profile \\\n {2}--num-profile-runs=2 \\\n/);
  expect(out).toContain('--concurrency=1,4');
});

test('config expand refuses a file that describes no run', async () => {
  write('targets.yaml', 'targets: [{ url: "h:1" }]\n');
  const { code, err } = await runConfig('expand', 'targets.yaml');
  expect(code).toBe(2);
  expect(err).toContain('targets.yaml describes no run; expected the key benchmark');
});

test('config init writes an example that is valid, and keeps an existing file', async () => {
  expect((await runConfig('init', 'example.yaml')).out).toContain('Wrote example.yaml.');
  expect((await runConfig('check', 'example.yaml')).out).toBe(
    'example.yaml is valid: 1 run of servelens profile\n',
  );
  const again = await runConfig('init', 'example.yaml');
  expect(again.code).toBe(2);
  expect(again.err).toContain('file already exists; use --force to replace it');
  write('example.yaml', 'x');
  expect((await runConfig('init', 'example.yaml', '--force')).code).toBe(0);
  const { out } = await runConfig('init', '-');
  expect(out).toBe(readFileSync(join(folder, 'example.yaml'), 'utf8'));
});

test.each([
  ['more than 16 MiB', 'x'.repeat(17 << 20), /larger than 16 MiB/, 2],
  ['nested aliases', `benchmark: { model: ${'&a ['.repeat(3)}1] }`, /invalid\.yaml:/, 1],
  ['300 levels', `benchmark: ${'{ a: '.repeat(300)}1${' }'.repeat(300)}`, /nested too deeply/, 1],
])('a file with %s is refused', async (_, text, message, expected) => {
  write('invalid.yaml', text);
  const { code, out, err } = await runConfig('check', 'invalid.yaml');
  expect({ code, text: `${out}${err}` }).toEqual({ code: expected, text: expect.stringMatching(message) });
});
