import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'tally-'));
afterAll(() => rmSync(root, { recursive: true }));
let folderCount = 0;

/** Whether a test passed; `unstable` if it passed at the second attempt. */
type Outcome = boolean | 'unstable';

/** Inputs of tally.mjs. */
interface TestRun {
  /** Exit codes of turbo's tasks, undefined for a task that did not run. Absent if turbo wrote no summary. */
  readonly tasks?: Readonly<Record<string, number | undefined>>;
  /** By folder: the outcome of each test, or the error message of a test file that cannot be loaded. */
  readonly results?: Readonly<Record<string, readonly Outcome[] | string>>;
  readonly args?: readonly string[];
}

function createResults(folder: string, tests: readonly Outcome[] | string) {
  const passes = typeof tests === 'string' ? [] : tests;
  const assertionResults = passes.map((passed, index) => ({
    status: passed ? 'passed' : 'failed',
    fullName: `test ${index}`,
    failureMessages: passed === true ? [] : ['it is wrong\n    at line 1'],
  }));
  const failed = passes.filter(passed => !passed).length;
  const isFailed = typeof tests === 'string' || failed > 0;
  return {
    numPassedTests: passes.length - failed,
    numFailedTests: failed,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: join(folder, 'x.test.ts'),
        status: isFailed ? 'failed' : 'passed',
        message: typeof tests === 'string' ? tests : '',
        assertionResults,
      },
    ],
  };
}

/** Runs tally.mjs on these inputs in a new folder. Returns its output lines and exit code. */
function runTally({ tasks, results = {}, args = [] }: TestRun): { lines: string[]; code: number | null } {
  const folder = join(root, String(folderCount++));
  for (const name of ['scripts', 'packages/a', 'apps', '.turbo/runs', 'test/soak'])
    mkdirSync(join(folder, name), { recursive: true });
  copyFileSync(join(import.meta.dirname, '../scripts/tally.mjs'), join(folder, 'scripts/tally.mjs'));
  for (const [name, tests] of Object.entries(results)) {
    const text = JSON.stringify(createResults(join(folder, name), tests));
    writeFileSync(join(folder, name, 'test-results.json'), text);
  }
  const summaries = Object.entries(tasks ?? {}).map(([task, exitCode]) => ({
    taskId: `@org/a#${task}`,
    task,
    directory: 'packages/a',
    command: 'x',
    ...(exitCode === undefined ? {} : { execution: { exitCode } }),
  }));
  if (tasks) writeFileSync(join(folder, '.turbo/runs/1.json'), JSON.stringify({ tasks: summaries }));
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'scripts/tally.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { lines: stdout.trimEnd().split('\n'), code: status };
}

test.each<[string, TestRun, string[]]>([
  [
    'a run without failures',
    { tasks: { lint: 0, test: 0 }, results: { 'packages/a': [true, true] } },
    ['3 passed, 0 failed'],
  ],
  [
    'a failed test once, without its failed task',
    { tasks: { test: 1 }, results: { 'packages/a': [true, false] } },
    ['✗ packages/a/x.test.ts > test 1: it is wrong', '1 passed, 1 failed'],
  ],
  [
    'a test that passed at the second attempt, and names it',
    { tasks: { test: 0 }, results: { 'packages/a': [true, 'unstable'] } },
    [
      'unstable: packages/a/x.test.ts > test 1 passed at the second attempt; first attempt: it is wrong',
      '2 passed, 0 failed',
    ],
  ],
  [
    'an unstable test in addition to a failed test',
    { tasks: { test: 1 }, results: { 'packages/a': ['unstable', false] } },
    [
      'unstable: packages/a/x.test.ts > test 0 passed at the second attempt; first attempt: it is wrong',
      '✗ packages/a/x.test.ts > test 1: it is wrong',
      '1 passed, 1 failed',
    ],
  ],
  [
    'a file that cannot be loaded',
    { tasks: { test: 1 }, results: { 'packages/a': 'no such module' } },
    ['✗ packages/a/x.test.ts: no such module', '0 passed, 1 failed'],
  ],
  [
    'a failed task without a failed test',
    { tasks: { test: 1 }, results: { 'packages/a': [true] } },
    ['✗ @org/a#test failed (exit code 1)', '1 passed, 1 failed'],
  ],
  [
    'a failed task and a task that did not run because of it',
    { tasks: { build: 2, typecheck: undefined } },
    ['✗ @org/a#build failed (exit code 2)', '✗ @org/a#typecheck did not run', '0 passed, 2 failed'],
  ],
  [
    'no results of an earlier run if the tests did not run',
    { tasks: { build: 2, test: undefined }, results: { 'packages/a': [true, true] } },
    ['✗ @org/a#build failed (exit code 2)', '✗ @org/a#test did not run', '0 passed, 2 failed'],
  ],
  [
    'a run that was interrupted',
    { results: { 'packages/a': [true] } },
    ['✗ npm test did not finish', '1 passed, 1 failed'],
  ],
  [
    'an additional folder without results',
    { tasks: { lint: 0 }, args: ['test/soak=124'] },
    ['✗ test/soak has no results (exit code 124)', '1 passed, 1 failed'],
  ],
  [
    'an additional folder whose run fails without a failed test',
    { tasks: { lint: 0 }, results: { 'test/soak': [true] }, args: ['test/soak=1'] },
    ['✗ test/soak failed (exit code 1)', '2 passed, 1 failed'],
  ],
  [
    'an additional folder with a failed test',
    { tasks: { lint: 0 }, results: { 'test/soak': [false] }, args: ['test/soak=1'] },
    ['✗ test/soak/x.test.ts > test 0: it is wrong', '1 passed, 1 failed'],
  ],
])('counts %s', (_, run, expected) => {
  const { lines, code } = runTally(run);
  expect(lines).toEqual(expected);
  expect(code).toBe(expected.at(-1)!.includes(' 0 failed') ? 0 : 1);
});
