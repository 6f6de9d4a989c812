import fs, { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { RunInputError } from '@org/record';
import { openJournal, type RunHeader } from '@org/record/journal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getCurrentOwner } from '../../src/lifecycle/runOwner.ts';
import { removeEarlierRuns } from '../../src/repeat/earlierRuns.ts';
import { PLAN_JOURNAL, PlanJournal } from '../../src/repeat/planJournal.ts';
import { createFolder } from '../plans.ts';
import { createPlan } from './fakes.ts';

/** Makes the removal of a file fail until the end of the test, also for root. */
function makeUnremovable(file: string): void {
  const { rmSync } = fs;
  fs.rmSync = (path, options) => {
    if (path === file) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    rmSync(path, options);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.rmSync = rmSync;
    syncBuiltinESMExports();
  });
}

const HEADER: RunHeader = {
  benchmarkId: 'earlier',
  version: '1',
  startNs: 1n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments' },
};
const RUN = 'profile_runs/trial_0001/concurrency_1';
const SWEEP = [
  `${RUN}/profile_export.jsonl`,
  `${RUN}/profile_export_aiperf.json`,
  `${RUN}/profile_export_aiperf_timeslices.csv`,
  `${RUN}/server_metrics_export.parquet`,
  'aggregate/concurrency_1/profile_export_aiperf_aggregate.csv',
  'aggregate/concurrency_1/profile_export_aiperf_collated.json',
  'aggregate/sweep_aggregate/profile_export_aiperf_sweep.json',
];

/** Creates a folder with empty files. */
function createTree(...files: readonly string[]): string {
  const folder = createFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}

function openPlan(folder: string): PlanJournal {
  return new PlanJournal(
    folder,
    createPlan({ runs: 2 }),
    { version: '1', compatibility: 'servelens' },
    () => {},
  );
}

describe('earlier runs', () => {
  test('are removed, but no other files of the folder', async () => {
    const folder = createTree(...SWEEP, 'notes.txt', 'plots/variation.png');
    await removeEarlierRuns(folder, undefined);
    expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'plots']);
  });

  test('are removed in the layouts of earlier versions and of independent runs', async () => {
    const earlier = 'variation_0000_concurrency_1/profile_runs/run_0001/profile_export.jsonl';
    const folder = createTree(earlier, 'concurrency_1/profile_runs/trial_0001/profile_export_aiperf.json');
    await removeEarlierRuns(folder, undefined);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['{"run_info": {"sweep_id": "s"}}', true],
    ['{"run_info": {}}', false],
    ['', false],
  ])('in the folder of a variation with the export %s are removed: %j', async (text, isRemoved) => {
    const folder = createTree('rate_5.0/profile_export_aiperf.json');
    writeFileSync(join(folder, 'rate_5.0/profile_export_aiperf.json'), text);
    const removed = removeEarlierRuns(folder, undefined);
    if (isRemoved) await removed;
    else
      await expect(removed).rejects.toThrow(
        'contains rate_5.0/profile_export_aiperf.json, a run that is not part of a sweep; move it, or use another folder',
      );
    expect(existsSync(join(folder, 'rate_5.0'))).toBe(!isRemoved);
  });

  test('are removed with the prefix of the new runs', async () => {
    const folder = createTree('profile_runs/run_0001/p.json', 'profile_runs/run_0001/p_timeslices.json');
    await expect(removeEarlierRuns(folder, 'q')).rejects.toThrow(
      'contains profile_runs/run_0001/p.json among the runs',
    );
    await removeEarlierRuns(folder, 'p');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['notes.txt', 'plot.csv', 'other.json', 'unreadable.journal'])(
    'are kept if %s is among them',
    async name => {
      const folder = createTree(...SWEEP, `${RUN}/${name}`);
      await expect(removeEarlierRuns(folder, undefined)).rejects.toThrow(
        `contains ${RUN}/${name} among the runs of an earlier benchmark, which is not one of its exports; move it, or use another folder`,
      );
      expect(SWEEP.every(file => existsSync(join(folder, file)))).toBe(true);
    },
  );

  test('are never removed through a link', async () => {
    const target = createTree('run_0001/profile_export_aiperf.json');
    const folder = createFolder();
    symlinkSync(target, join(folder, 'profile_runs'));
    await expect(removeEarlierRuns(folder, undefined)).rejects.toThrow(
      'contains profile_runs among the runs',
    );
    expect(existsSync(join(target, 'run_0001/profile_export_aiperf.json'))).toBe(true);
  });

  test('are kept while they are active', async () => {
    const folder = createTree(...SWEEP);
    const journal = openPlan(folder);
    await expect(removeEarlierRuns(folder, undefined)).rejects.toThrow(
      'other repeated runs are active in this folder; use another folder',
    );
    await journal.remove();
    await removeEarlierRuns(folder, undefined);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are kept if a run has a journal without exports', async () => {
    const folder = createTree(...SWEEP);
    await openJournal(
      join(folder, RUN),
      { ...HEADER, owner: { ...getCurrentOwner(), born: '1' } },
      {},
    ).close();
    await expect(removeEarlierRuns(folder, undefined)).rejects.toThrow(
      /contains profile_runs.*server_metrics\.journal, the journal of a run whose exports are not written; .*servelens recover/,
    );
  });

  test('are removed with journals whose exports are written', async () => {
    const folder = createTree(...SWEEP);
    const journal = openJournal(join(folder, RUN), HEADER, {});
    journal.end();
    await journal.close();
    writeFileSync(join(folder, RUN, 'profile_export_aiperf.json'), '{"benchmark_id": "earlier"}');
    await removeEarlierRuns(folder, undefined);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are reported if they cannot be removed', async () => {
    const folder = createTree(...SWEEP);
    makeUnremovable(join(folder, SWEEP[0]!));
    await expect(removeEarlierRuns(folder, undefined)).rejects.toThrow(
      new RunInputError(
        `cannot remove the runs of an earlier benchmark from ${JSON.stringify(folder)}: permission denied`,
      ),
    );
  });

  test.each([
    { isWritten: false, aggregates: 'old', areKept: true },
    { isWritten: false, aggregates: 'recovered', areKept: false },
    { isWritten: true, aggregates: 'old', areKept: false },
  ])('with the journal of their plan: %j', async ({ isWritten, aggregates, areKept }) => {
    const folder = createTree(...SWEEP);
    const journal = openPlan(folder);
    await journal.close(isWritten);
    const seconds = Date.now() / 1000 + (aggregates === 'recovered' ? 60 : -60);
    for (const file of SWEEP) utimesSync(join(folder, file), seconds, seconds);
    const removed = removeEarlierRuns(folder, undefined);
    if (areKept)
      await expect(removed).rejects.toThrow(
        `contains ${PLAN_JOURNAL}, the journal of repeated runs whose aggregates are not written; to write them, run servelens recover ${folder}`,
      );
    else await removed;
    expect(existsSync(join(folder, RUN))).toBe(areKept);
  });
});

test('a folder without earlier runs is unchanged', async () => {
  const folder = createTree('profile_export_aiperf.json', 'variations.txt');
  await removeEarlierRuns(folder, undefined);
  await removeEarlierRuns(join(folder, 'missing'), undefined);
  expect(readdirSync(folder).sort()).toEqual(['profile_export_aiperf.json', 'variations.txt']);
});
