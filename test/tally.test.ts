import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'tally-'));
afterAll(() => rmSync(root, { recursive: true }));
let roots = 0;

interface Ran {
  /** Exit codes of turbo's tasks, undefined for a task that did not run. Absent if turbo wrote no summary. */
  readonly tasks?: Readonly<Record<string, number | undefined>>;
  /** Test results by folder, or the message of a file that cannot be loaded. */
  readonly results?: Readonly<Record<string, readonly boolean[] | string>>;
  readonly named?: readonly string[];
}

function resultsOf(folder: string, tests: readonly boolean[] | string) {
  const passes = typeof tests === 'string' ? [] : tests;
  const assertionResults = passes.map((passed, at) => ({
    status: passed ? 'passed' : 'failed',
    fullName: `test ${at}`,
    failureMessages: passed ? [] : ['it is wrong\n    at line 1'],
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

/** Runs tally.mjs on these results. Returns its output lines and its exit code. */
function tally({ tasks, results = {}, named = [] }: Ran): { lines: string[]; code: number | null } {
  const own = join(root, String(roots++));
  for (const folder of ['scripts', 'packages/a', 'apps', '.turbo/runs', 'test/soak'])
    mkdirSync(join(own, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, '../scripts/tally.mjs'), join(own, 'scripts/tally.mjs'));
  for (const [folder, tests] of Object.entries(results)) {
    const text = JSON.stringify(resultsOf(join(own, folder), tests));
    writeFileSync(join(own, folder, 'test-results.json'), text);
  }
  const ran = Object.entries(tasks ?? {}).map(([task, exitCode]) => ({
    taskId: `@org/a#${task}`,
    task,
    directory: 'packages/a',
    command: 'x',
    ...(exitCode === undefined ? {} : { execution: { exitCode } }),
  }));
  if (tasks) writeFileSync(join(own, '.turbo/runs/1.json'), JSON.stringify({ tasks: ran }));
  const { stdout, status } = spawnSync(process.execPath, [join(own, 'scripts/tally.mjs'), ...named], {
    encoding: 'utf8',
  });
  return { lines: stdout.trimEnd().split('\n'), code: status };
}

test.each<[string, Ran, string[]]>([
  [
    'all is well',
    { tasks: { lint: 0, test: 0 }, results: { 'packages/a': [true, true] } },
    ['3 passed, 0 failed'],
  ],
  [
    'a failed test is one failure',
    { tasks: { test: 1 }, results: { 'packages/a': [true, false] } },
    ['✗ packages/a/x.test.ts > test 1: it is wrong', '1 passed, 1 failed'],
  ],
  [
    'so is a file that cannot be loaded',
    { tasks: { test: 1 }, results: { 'packages/a': 'no such module' } },
    ['✗ packages/a/x.test.ts: no such module', '0 passed, 1 failed'],
  ],
  [
    'a run that fails without a failed test',
    { tasks: { test: 1 }, results: { 'packages/a': [true] } },
    ['✗ @org/a#test failed (exit code 1)', '1 passed, 1 failed'],
  ],
  [
    'what fails and what is not done for it',
    { tasks: { build: 2, typecheck: undefined } },
    ['✗ @org/a#build failed (exit code 2)', '✗ @org/a#typecheck did not run', '0 passed, 2 failed'],
  ],
  [
    'a run that was cut off',
    { results: { 'packages/a': [true] } },
    ['✗ npm test did not finish', '1 passed, 1 failed'],
  ],
  [
    'a named folder without results',
    { tasks: { lint: 0 }, named: ['test/soak=124'] },
    ['✗ test/soak has no results (exit code 124)', '1 passed, 1 failed'],
  ],
  [
    'a named folder whose run fails without a failed test',
    { tasks: { lint: 0 }, results: { 'test/soak': [true] }, named: ['test/soak=1'] },
    ['✗ test/soak failed (exit code 1)', '2 passed, 1 failed'],
  ],
  [
    'a named folder with a failed test',
    { tasks: { lint: 0 }, results: { 'test/soak': [false] }, named: ['test/soak=1'] },
    ['✗ test/soak/x.test.ts > test 0: it is wrong', '1 passed, 1 failed'],
  ],
])('%s', (_, ran, lines) => {
  const { lines: printed, code } = tally(ran);
  expect(printed).toEqual(lines);
  expect(code).toBe(lines.length === 1 ? 0 : 1);
});
