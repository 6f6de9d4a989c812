import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { runReader } from '../support/runReader.ts';
import { writeSweptRun } from '../support/sweptRuns.ts';

const { path: root, remove } = createTempFolder('killed-sweep');
afterAll(remove);
const command = "aiperf profile --concurrency '1,2,4'";
writeSweptRun(root, 1, [100], { command });
writeSweptRun(root, 2, undefined, { command });

const SENTENCE =
  'there are no aggregates, because the benchmark was killed or is still active; 1 of 3 runs is complete; not complete: concurrency_2; not started: concurrency_4';

test('the summary of a killed sweep shows its complete runs and one sentence on the others', async () => {
  const { code, out: screen, err } = await runReader(['summary', root], 300);
  const out = stripVTControlCharacters(screen);
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')[0]).toBe(` ${SENTENCE}`);
  expect(out).toMatch(/● concurrency_1 +1 /);
  expect(out).not.toContain('omitted');
});

test('the summary of a killed sweep contains the sentence as JSON and Markdown', async () => {
  const { out } = await runReader(['summary', root, '--json']);
  expect(JSON.parse(out)).toMatchObject({ notes: [SENTENCE], num_successful_runs: 1 });
  expect((await runReader(['summary', root, '--markdown'])).out).toContain('1 of 3 runs is complete');
});

test('the page of a killed sweep shows its complete runs and the sentence', async () => {
  const file = join(root, 'page.html');
  const { code } = await runReader(['report', root, '--output', file]);
  expect(code).toBe(0);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain(`<p class="note">${SENTENCE}</p>`);
  expect(page).toContain('<th scope="row">concurrency 1</th>');
});
