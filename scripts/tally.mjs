// Adds up what really ran: reads the results files that the test runs left, and prints "N passed, N failed".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ['packages', 'apps'].flatMap(top =>
  readdirSync(join(root, top)).map(name => join(top, name)),
);
const files = [...folders, 'test', ...process.argv.slice(2)].map(folder =>
  join(root, folder, 'test-results.json'),
);

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of files.filter(existsSync)) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  passed += results.numPassedTests;
  // A test file that could not even be loaded counts as a failure of its own.
  const broken = results.testResults.filter(
    one => one.status === 'failed' && one.assertionResults.length === 0,
  );
  failed += results.numFailedTests + broken.length;
  skipped += results.numPendingTests + results.numTodoTests;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
