// Adds up what really ran: reads the results files that the test runs left, and prints "N passed, N failed".
// Further folders may be named; results that are missing there count as a failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ['packages', 'apps'].flatMap(top =>
  readdirSync(join(root, top)).map(name => join(top, name)),
);
const named = process.argv.slice(2).map(resultsIn);
const files = [...[...folders, 'test'].map(resultsIn).filter(existsSync), ...named.filter(existsSync)];

let passed = 0;
let failed = named.filter(file => !existsSync(file)).length;
let skipped = 0;
for (const file of files) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  passed += results.numPassedTests;
  // A file that failed without a failed test, when it was loaded or set up, counts as a failure of its own.
  const broken = results.testResults.filter(
    one => one.status === 'failed' && !one.assertionResults.some(({ status }) => status === 'failed'),
  );
  failed += results.numFailedTests + broken.length;
  skipped += results.numPendingTests + results.numTodoTests;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function resultsIn(folder) {
  return join(root, folder, 'test-results.json');
}
