import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { analyzeTrend } from '../../src/trend/analyzeTrend.ts';
import type { MetricTrend, RunTrend } from '../../src/trend/runTrend.ts';
import { listNights, writeNightlyRuns } from './nightlyRuns.ts';
import { createNormal } from './series.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-trend-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const findMetric = ({ groups }: RunTrend, metric: string, stat = 'avg'): MetricTrend =>
  groups[0]!.metrics.find(entry => entry.metric === metric && entry.stat === stat)!;

/** Returns nights whose time between tokens rises by 20% from the night at `at`. */
const listSlower = (count: number, at: number) => {
  const normal = createNormal(3);
  return listNights(count, i => ({ itl: normal(i < at ? 10 : 12, 0.1) }));
};

describe('analyzeTrend', () => {
  it('finds a change between two runs, with its evidence', async () => {
    writeNightlyRuns(folder, listSlower(14, 8));
    const { changes } = findMetric(await analyzeTrend([folder]), 'inter_token_latency');
    expect(changes).toMatchObject([
      { before: 7, after: 8, verdict: 'worse', from: { runs: 8 }, to: { runs: 6 } },
    ]);
    expect(changes[0]!.change).toBeCloseTo(0.2, 1);
  });

  it('tests nothing with fewer runs than needed, and returns the needed number', async () => {
    writeNightlyRuns(folder, listSlower(7, 4));
    const trend = await analyzeTrend([folder]);
    expect(findMetric(trend, 'inter_token_latency')).toMatchObject({
      state: 'too few runs',
      known: 7,
      changes: [],
    });
    expect(trend.minTotalRuns).toBe(10);
  });

  it('orders runs by their start, not by their names', async () => {
    writeNightlyRuns(folder, [
      { name: 'a', day: 2 },
      { name: 'b', day: 0 },
      { name: 'c', day: 1 },
    ]);
    const [group] = (await analyzeTrend([folder])).groups;
    expect(group!.runs.map(({ path }) => path)).toEqual(['b', 'c', 'a'].map(name => join(folder, name)));
  });

  it('separates runs of different loads, and names the settings that differ', async () => {
    writeNightlyRuns(
      folder,
      listNights(4, i => ({ rate: i % 2 === 0 ? 4 : 8 })),
    );
    const { groups } = await analyzeTrend([folder]);
    expect(groups.map(({ workload, runs }) => [[...workload], runs.length])).toEqual([
      [[['rate', '8 requests/s']], 2],
      [[['rate', '4 requests/s']], 2],
    ]);
  });

  it('names a change of the version and of the hardware at its position', async () => {
    writeNightlyRuns(
      folder,
      listNights(4, i => ({
        version: i < 2 ? '0.1.0' : '0.2.0',
        gpu: i < 3 ? 'NVIDIA A100' : 'NVIDIA H100',
      })),
    );
    expect((await analyzeTrend([folder])).groups[0]!.settingChanges).toEqual([
      { at: 2, setting: 'Servelens', from: '0.1.0', to: '0.2.0' },
      { at: 3, setting: 'GPUs', from: '1 × NVIDIA A100', to: '1 × NVIDIA H100' },
    ]);
  });

  it('leaves out ignored settings', async () => {
    writeNightlyRuns(
      folder,
      listNights(4, i => ({ version: `0.${i}`, rate: i + 1 })),
    );
    const { groups } = await analyzeTrend([folder], { ignoredSettings: ['Servelens', 'rate'] });
    expect(groups).toMatchObject([{ settingChanges: [], varyingSettings: [] }]);
  });

  it('places a change between runs that have the metric', async () => {
    const nights = listSlower(16, 8).map((run, i) =>
      i === 8 ? { ...run, fields: { inter_token_latency: undefined } } : run,
    );
    writeNightlyRuns(folder, nights);
    const metric = findMetric(await analyzeTrend([folder]), 'inter_token_latency');
    expect(metric).toMatchObject({ known: 15, changes: [{ before: 7, after: 9 }] });
    expect(metric.values[8]).toBeNull();
  });

  it('combines repeated runs into a point with the spread of the repeats', async () => {
    writeNightlyRuns(folder, [
      { name: 'night/profile_runs/run_0001', day: 0, itl: 10 },
      { name: 'night/profile_runs/run_0002', day: 0.1, itl: 14 },
    ]);
    const trend = await analyzeTrend([folder]);
    expect(trend.groups[0]!.runs).toMatchObject([{ path: join(folder, 'night'), repeats: 2 }]);
    const { values, spreads } = findMetric(trend, 'inter_token_latency');
    expect(values).toEqual([12]);
    expect(spreads[0]).toMatchObject({ of: 'repeats', count: 2, low: 10, high: 14 });
  });

  it('returns the spread of the requests of a single run', async () => {
    writeNightlyRuns(folder, [{ name: 'night', itl: 10 }]);
    expect(findMetric(await analyzeTrend([folder]), 'inter_token_latency').spreads).toEqual([
      { of: 'requests', count: 50, std: 1, low: 9, high: 11 },
    ]);
  });
});

describe('bad input', () => {
  beforeEach(() => writeNightlyRuns(folder, listNights(3)));

  it.each<[string, () => void, string, RegExp]>([
    ['an empty folder', () => mkdirSync(join(folder, 'empty')), 'empty', /^contains no run$/],
    [
      'a folder with other files',
      () => {
        mkdirSync(join(folder, 'other'));
        writeFileSync(join(folder, 'other', 'notes.txt'), 'x');
      },
      'other',
      /^contains no run$/,
    ],
    [
      'an unfinished run',
      () => {
        mkdirSync(join(folder, 'killed'));
        writeFileSync(join(folder, 'killed', 'profile.journal'), '');
      },
      'killed',
      /journal of a run that did not finish/,
    ],
    [
      'an interrupted run',
      () => writeNightlyRuns(folder, [{ name: 'stopped', day: 5, wasCancelled: true }]),
      'stopped',
      /^the run was interrupted$/,
    ],
    [
      'a truncated file',
      () => {
        mkdirSync(join(folder, 'cut'));
        writeFileSync(join(folder, 'cut', 'profile_export_aiperf.json'), '{"schema_version": "1.3", "req');
      },
      'cut',
      /cannot read|invalid|JSON/,
    ],
    [
      'the same run twice',
      () => writeNightlyRuns(folder, [{ name: 'night-02-copy', day: 1 }]),
      'night-02-copy',
      /^the same run as .*night-02$/,
    ],
    [
      'a run without a start time',
      () =>
        writeNightlyRuns(folder, [
          { name: 'timeless', fields: { start_time: undefined, end_time: undefined } },
        ]),
      'timeless',
      /no start time/,
    ],
  ])('%s becomes a problem, and the other runs remain', async (_, damage, name, reason) => {
    damage();
    const trend = await analyzeTrend([folder]);
    expect(trend.problems).toEqual([{ path: join(folder, name), reason: expect.stringMatching(reason) }]);
    expect(trend.groups[0]!.runs).toHaveLength(3);
  });

  it('a path that does not exist becomes a problem', async () => {
    const missing = join(folder, 'missing');
    const { problems, groups } = await analyzeTrend([folder, missing]);
    expect(problems).toMatchObject([
      { path: missing, reason: expect.stringContaining('no such file or folder') },
    ]);
    expect(groups[0]!.runs).toHaveLength(3);
  });

  it('one run is a trend that tests nothing', async () => {
    const { groups } = await analyzeTrend([join(folder, 'night-01')]);
    expect(groups[0]!.metrics.every(({ state }) => state === 'too few runs')).toBe(true);
  });

  it('a run whose clock was set back is noted', async () => {
    writeNightlyRuns(folder, [{ name: 'night-04', day: 4, fields: { end_time: '2026-01-01T00:00:00Z' } }]);
    expect((await analyzeTrend([folder])).notes).toEqual([
      expect.stringMatching(/night-04 ends before it starts: its clock was set back/),
    ]);
  });

  it('a run that starts before the previous one by name is noted', async () => {
    writeNightlyRuns(folder, [{ name: 'night-04', day: -9 }]);
    const { notes, groups } = await analyzeTrend([folder]);
    expect(notes).toEqual([
      expect.stringMatching(/night-04 starts before .*night-03, which precedes it by name/),
    ]);
    expect(groups[0]!.runs[0]!.path).toBe(join(folder, 'night-04'));
  });

  it('a local time is read as UTC, with a note', async () => {
    writeNightlyRuns(folder, [
      { name: 'night-04', day: 4, fields: { start_time: '2026-01-05T01:00:00', end_time: undefined } },
    ]);
    expect((await analyzeTrend([folder])).notes).toEqual([
      '1 run has a start time without a time zone, which is read as UTC',
    ]);
  });
});
