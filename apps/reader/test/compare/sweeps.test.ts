import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { readPageData } from '../support/readPageData.ts';
import { expectUserError, runReader } from '../support/runReader.ts';
import { writeRepeatedRun, writeSweptRun } from '../support/sweptRuns.ts';

const { path: root, remove } = createTempFolder('compare-sweeps');
afterAll(remove);
const [main, branch, repeats, slowRepeats] = ['main', 'branch', 'repeats', 'slow-repeats'].map(name =>
  join(root, name),
) as [string, string, string, string];

/** Latencies near a mean, which differ between runs by up to 1%. */
const near = (mean: number, trial: number): number[] => [mean * (1 + trial / 200), mean];

for (const trial of [1, 2, 3]) {
  for (const concurrency of [1, 2, 8])
    writeSweptRun(main, concurrency, near(100, trial), { trial, rate: 100 + trial / 10 });
  // At concurrency 2, the latency is 50% higher.
  writeSweptRun(branch, 1, near(100, trial), { trial, rate: 100 + trial / 10 });
  writeSweptRun(branch, 2, near(150, trial), { trial, rate: 100 + trial / 10 });
  writeSweptRun(branch, 4, near(100, trial), { trial });
  writeRepeatedRun(repeats, trial, near(100, trial));
  writeRepeatedRun(slowRepeats, trial, near(150, trial));
}
writeSweptRun(branch, 1, undefined, { trial: 4 });

test('compares each variation of two sweeps, with intervals from its repeats', async () => {
  const { code, out: screen, err } = await runReader(['compare', main, branch], 300);
  const out = stripVTControlCharacters(screen);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^1 of 2 variations got worse {2}/);
  expect(out).toMatch(/\nconcurrency_1: (?!.*worse).*\n/);
  expect(out).toMatch(
    /\nconcurrency_2: 1 worse.*\n(?:.*\n)*✗ request_latency avg +100\.5 ms +150\.8 ms +\+50% +±/,
  );
  expect(out).toContain('\nonly in base: concurrency_8\nonly in new: concurrency_4\n');
  expect(out).toMatch(/\n1 incomplete run not compared: .*concurrency_1\n/);
});

test.each([
  [main, branch, 1],
  [main, main, 0],
])('exits with --exit-code by the worst variation of %s and %s', async (base, other, expected) => {
  const { code } = await runReader(['compare', base, other, '--exit-code']);
  expect(code).toBe(expected);
});

test('prints the comparison of two sweeps as JSON', async () => {
  const { out } = await runReader(['compare', main, branch, '--json']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    base: main,
    new: branch,
    counts: { variations: 2, worse: 1, better: 0, only_base: 1, only_new: 1 },
    only_base: ['concurrency_8'],
    only_new: ['concurrency_4'],
  });
  const [first, second] = document.variations;
  expect(first).toMatchObject({
    name: 'concurrency_1',
    parameters: { concurrency: 1 },
    comparison: { counts: { worse: 0 } },
  });
  expect(first.incomplete).toEqual([join(branch, 'profile_runs/trial_0004/concurrency_1')]);
  const row = second.comparison.rows.find((each: { metric: string }) => each.metric === 'request_latency');
  expect(row).toMatchObject({ verdict: 'worse', runs: { base: [100.25, 100.5, 100.75] } });
  expect(row.noise).toBeGreaterThan(0);
});

test('prints the comparison of two sweeps as Markdown', async () => {
  const { out } = await runReader(['compare', main, branch, '--markdown']);
  expect(out).toMatch(/^### Sweeps: 1 of 2 variations got worse\n/);
  expect(out).toMatch(/\n#### concurrency\\_2: 1 worse.*\n\n\| {2}\| series \|/);
  expect(out).toContain('\n- only in base: concurrency\\_8\n');
});

test('compares repeated runs with repeated runs', async () => {
  const { code, out } = await runReader(['compare', repeats, slowRepeats, '--exit-code'], 120);
  expect(code).toBe(1);
  expect(stripVTControlCharacters(out)).toMatch(/✗ request_latency avg +100\.5 ms +150\.8 ms/);
});

test.each([
  [branch, main, 'concurrency_2'],
  [slowRepeats, repeats, undefined],
])('the page of %s contains the comparison with %s', async (run, base, variation) => {
  const file = join(root, 'page.html');
  const { code, err } = await runReader(['report', run, '--baseline', base, '--output', file]);
  expect([code, err]).toEqual([0, '']);
  const page = JSON.stringify(readPageData(readFileSync(file, 'utf8')));
  expect(page).toMatch(
    new RegExp(
      `${variation === undefined ? '' : `"variation":"${variation}",`}"metric":"request_latency"[^}]*"verdict":"worse"`,
    ),
  );
});

test.each<[string, string[], RegExp]>([
  [
    'a sweep and repeated runs',
    [main, repeats],
    /cannot compare the sweep ".*main" with ".*repeats", which is not a sweep/,
  ],
  ['sweeps with --each', [main, branch, '--each'], /--each requires single runs/],
  [
    'a page of sweeps',
    [main, branch, '--html', 'page.html'],
    /--html, --svg and --png require runs, but these are sweeps; for a page, use servelens read report/,
  ],
  ['an unknown metric', [main, branch, '--metric', 'nothing'], /invalid --metric "nothing"/],
])('rejects %s', async (_, args, message) => {
  await expectUserError(['compare', ...args], message);
});
