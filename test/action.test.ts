import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { root } from './source.ts';

const SERVELENS = join(root, 'apps/cli/bin/servelens.js');

let runs = '';
let folder = '';

// The repository contains the journals of two runs.
beforeAll(() => {
  runs = mkdtempSync(join(tmpdir(), 'action-runs-'));
  for (const name of ['main', 'branch']) {
    cpSync(join(root, 'docs/runs', name), join(runs, name), { recursive: true });
    execFileSync(process.execPath, [SERVELENS, 'recover', join(runs, name)], { stdio: 'pipe' });
  }
});

afterAll(() => rmSync(runs, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'action-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the script of the action like GitHub, and returns its result and the summary of the job. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '# Earlier step\n');
  const { status, stdout, stderr } = spawnSync(join(root, 'scripts/action/report.sh'), {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      SERVELENS: `${process.execPath} ${SERVELENS}`,
      GITHUB_STEP_SUMMARY: summary,
      BASELINE: '',
      RULES: '',
      ASSERT: '',
      ...inputs,
    },
  });
  return { status, stdout, stderr, summary: readFileSync(summary, 'utf8') };
}

test('appends the summary of a run as Markdown', () => {
  const { status, stdout, summary } = runAction({ RUN: join(runs, 'branch') });
  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(summary).toMatch(/^# Earlier step\n/);
  expect(summary).toMatch(/^\| .*num_requests_running/m);
});

test('appends a comparison with the baseline', () => {
  const { status, summary } = runAction({ RUN: join(runs, 'branch'), BASELINE: join(runs, 'main') });
  expect(status).toBe(0);
  expect(summary.length).toBeGreaterThan(runAction({ RUN: join(runs, 'branch') }).summary.length);
  expect(summary).toMatch(/main.*branch/s);
});

test('prints an annotation for a failed rule, and fails', () => {
  writeFileSync(
    join(folder, 'my gates.txt'),
    'vllm:num_requests_running.max > 0\nvllm:num_requests_running.max < 0\n',
  );
  const { status, stdout } = runAction({ RUN: join(runs, 'branch'), RULES: 'my gates.txt' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error file=my gates\.txt,line=2,/m);
});

test('checks rules of the input, one per line, with the baseline', () => {
  const rules = 'vllm:num_requests_running.max > 0\n\nvllm:num_requests_running.max < baseline * 100\n';
  const { status, stdout } = runAction({
    RUN: join(runs, 'branch'),
    BASELINE: join(runs, 'main'),
    ASSERT: rules,
  });
  expect(stdout).toContain('2 rules: 2 passed');
  expect(status).toBe(0);
});

test('fails without a run, and runs no command in its inputs', () => {
  const { status, stderr } = runAction({ RUN: '$(touch created)', ASSERT: '`touch created`' });
  expect(status).toBe(2);
  expect(stderr).toContain('$(touch created)');
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('summary.md\n');
});

test('passes every input of action.yml to the script', () => {
  const { parse } = createRequire(join(root, 'packages/terminal/package.json'))('yaml');
  const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const [step] = runs.steps;
  const passed = Object.values(step.env as Record<string, string>).map(
    value => /\$\{\{ inputs\.(\w+) \}\}/.exec(value)?.[1],
  );
  expect(passed.toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(step.run).toContain('scripts/action/report.sh');
});
