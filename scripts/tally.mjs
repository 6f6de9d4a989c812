// Summarizes a test run: reads the test results of every package and turbo's summary of the other checks, lists
// the failures and the tests that passed only at the second attempt, and prints "N passed, N failed".
//
//   node scripts/tally.mjs [FOLDER | FOLDER=EXITCODE]...
//
// Each argument is an additional folder with test results, optionally with the exit code of its test run. Missing
// results, and a nonzero exit code without a failed test, count as failures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ['packages', 'apps'].flatMap(top =>
  readdirSync(join(root, top)).map(name => join(root, top, name)),
);
const additionalRuns = process.argv.slice(2).map(argument => {
  const [name = '', code = '0'] = argument.split('=');
  return { name, folder: join(root, name), code: Number(code) };
});

const tasks = readTasks();
const results = [
  ...[...folders, join(root, 'benchmarks'), join(root, 'test')].filter(folder => !isStale(folder)),
  ...additionalRuns.map(({ folder }) => folder),
]
  .filter(hasResults)
  .map(readResults);
const checks = countChecks();
const failures = [
  ...checks.failures,
  ...additionalRuns.flatMap(listUnreportedFailures),
  ...results.flatMap(listFailures),
];
const passed = checks.passed + sumField(results, 'numPassedTests');
const skipped = sumField(results, 'numPendingTests') + sumField(results, 'numTodoTests');

for (const line of results.flatMap(listUnstableTests)) console.log(line);
for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

function getResultsPath(folder) {
  return join(folder, 'test-results.json');
}

function hasResults(folder) {
  return existsSync(getResultsPath(folder));
}

function readResults(folder) {
  return JSON.parse(readFileSync(getResultsPath(folder), 'utf8'));
}

function sumField(results, key) {
  return results.reduce((sum, result) => sum + result[key], 0);
}

/**
 * Returns the failure of an additional run if its test results do not contain one, as a list with at most one
 * entry.
 */
function listUnreportedFailures({ name, folder, code }) {
  const suffix = code === 0 ? '' : ` (exit code ${code})`;
  if (!hasResults(folder)) return [`${name} has no results${suffix}`];
  return code === 0 || listFailures(readResults(folder)).length > 0 ? [] : [`${name} failed${suffix}`];
}

/**
 * Lists the failed tests with the first line of their messages. A file that cannot be loaded or set up counts as
 * one failure.
 */
function listFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter(test => test.status === 'failed');
    if (tests.length > 0) {
      return tests.map(test => `${file} > ${test.fullName}: ${getFirstLine(test.failureMessages[0])}`);
    }
    return status === 'failed' ? [`${file}: ${getFirstLine(message)}`] : [];
  });
}

/** Lists the tests that failed at first and then passed, with the first line of the message of the failure. */
function listUnstableTests({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(test => test.status === 'passed' && test.failureMessages?.length > 0)
      .map(test => {
        const subject = `${relative(root, name)} > ${test.fullName}`;
        return `unstable: ${subject} passed at the second attempt; first attempt: ${getFirstLine(test.failureMessages[0])}`;
      }),
  );
}

function getFirstLine(text = '') {
  return text.split('\n', 1)[0];
}

/** Reads the tasks from turbo's summary of `npm test`. Returns undefined if turbo wrote no summary. */
function readTasks() {
  const runs = join(root, '.turbo', 'runs');
  const summaries = existsSync(runs) ? readdirSync(runs).filter(name => name.endsWith('.json')) : [];
  if (summaries.length === 0) return undefined;
  const tasks = summaries.flatMap(name => JSON.parse(readFileSync(join(runs, name), 'utf8')).tasks);
  return tasks.filter(({ command }) => command !== '<NONEXISTENT>');
}

/** Reports whether the results of a folder are from an earlier run, because its tests did not run in this one. */
function isStale(folder) {
  return tasks?.some(task => isTestTask(task) && getFolder(task) === folder && !task.execution) ?? false;
}

/**
 * Counts builds, type checks, linting, and test tasks whose outcome is missing from the test results.
 */
function countChecks() {
  if (!tasks) return { passed: 0, failures: ['npm test did not finish'] };
  const checks = tasks.filter(task => !hasFullResults(task));
  const failures = checks.flatMap(({ taskId, execution }) => {
    const code = execution?.exitCode;
    return code === 0
      ? []
      : [`${taskId} ${code === undefined ? 'did not run' : `failed (exit code ${code})`}`];
  });
  return { passed: checks.length - failures.length, failures };
}

function isTestTask({ task }) {
  return task.startsWith('test');
}

function getFolder({ task, directory }) {
  return task === 'test:repository' ? join(root, 'test') : join(root, directory);
}

/** Reports whether the test results contain the outcome of a task. Such tasks are not counted again as checks. */
function hasFullResults(task) {
  const folder = getFolder(task);
  if (!isTestTask(task) || !task.execution || !hasResults(folder)) return false;
  return task.execution.exitCode === 0 || listFailures(readResults(folder)).length > 0;
}
