import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatVariationName, openRunSet } from '@org/analysis';
import type { ProfileAggregate, ProfileSweep } from '@org/formats';
import { writeProfileAggregateJson, writeProfileSweepJson } from '@org/formats/write';
import { afterAll, describe, expect, test } from 'vitest';
import { readerMain } from '../../src/main.ts';
import { buildRunSetDocument } from '../../src/sweep/page.ts';
import { renderAggregate, renderSweep } from '../../src/sweep/screen.ts';
import { AGGREGATE, PLAIN_SWEEP, SWEEP } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'sweep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

written('ours/sweep_aggregate/profile_export_aiperf_sweep.json', writeProfileSweepJson(SWEEP));
written('aiperf/aggregate/sweep_aggregate/profile_export_aiperf_sweep.json', JSON.stringify(PLAIN_SWEEP));
written('repeated/aggregate/profile_export_aiperf_aggregate.json', writeProfileAggregateJson(AGGREGATE));
written('broken/sweep_aggregate/profile_export_aiperf_sweep.json', '{"aggregation_type": "sweep"}');
for (const name of ['variation_0000_concurrency_1', 'variation_0001_concurrency_2'])
  written(`variations/${name}/profile_export_aiperf.json`, '{}');
written('one/notes.txt', '');
written('alone/profile_runs/run_0001/profile_export_aiperf.json', '{}');

describe('openRunSet', () => {
  test.each([
    ['ours', 'sweep'],
    ['ours/sweep_aggregate/profile_export_aiperf_sweep.json', 'sweep'],
    ['aiperf', 'sweep'],
    ['repeated', 'repeated'],
    ['one', undefined],
    ['one/notes.txt', undefined],
  ])('opens %s as %s', async (name, kind) => {
    expect((await openRunSet(join(folder, name)))?.kind).toBe(kind);
  });

  test('rejects runs without aggregated results', async () => {
    await expect(openRunSet(join(folder, 'alone'))).rejects.toThrow(
      /contains runs, but no profile_export_aiperf_aggregate\.json, which requires two complete runs.*such as .*run_0001$/,
    );
  });

  test.each([
    [
      'check',
      'variations',
      /contains the 2 variations of a sweep; expected the folder of one run, such as \S*variation_0000_concurrency_1;/,
    ],
    ['check', 'alone', /contains repeated runs; expected the folder of one run, such as \S*run_0001;/],
    ['compare', 'variations', /contains the 2 variations of a sweep/],
    [
      'check',
      'ours/sweep_aggregate/profile_export_aiperf_sweep.json',
      /contains the results of several runs/,
    ],
    [
      'compare',
      'repeated/aggregate/profile_export_aiperf_aggregate.json',
      /contains the results of several runs/,
    ],
  ])('%s of %s explains what is accepted', async (command, name, message) => {
    const run = join(folder, name);
    const more = command === 'check' ? ['--assert', 'request_latency.p99 < 1s'] : [run];
    const { code, err } = await read(command, run, ...more);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test('names a broken file', async () => {
    await expect(openRunSet(join(folder, 'broken'))).rejects.toThrow(/profile_export_aiperf_sweep\.json/);
    await expect(openRunSet(join(folder, 'none'))).rejects.toThrow(/no such file or folder/);
  });
});

async function read(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const texts = { out: '', err: '' };
  const sink = (key: 'out' | 'err'): never =>
    ({ columns: 100, write: (text: string) => (texts[key] += text) }) as never;
  const code = await readerMain(argv, {
    stdout: sink('out'),
    stderr: sink('err'),
    env: {},
    cwd: process.cwd(),
  } as never);
  return { code, ...texts };
}

describe('summary', () => {
  test('of a sweep prints a line per variation', async () => {
    const { code, out } = await read('summary', join(folder, 'ours'));
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '   Variation       runs               req/s         latency p99',
      ' ● concurrency_4      2        8.125 ±1.588    490 ms ±127.1 ms',
      ' ● concurrency_8      2        15.63 ±1.588    532 ms ±152.5 ms',
      '   concurrency_16     1               15.25             1.012 s',
      ' ●: no other variation has more requests/s and a lower request_latency_p99 (means)',
      " ±: half of the 95% confidence interval of the mean (Student's t)",
      ' left out: concurrency_16/run_0002: server went away',
      '',
    ]);
  });

  test('of repeated runs prints intervals', async () => {
    const { out } = await read('summary', join(folder, 'repeated'));
    expect(out).toMatch(/^ 3 runs\s+mean\s+±\s+± of mean\s+lowest\s+highest$/m);
    expect(out).toMatch(/^ Request Latency avg\s+125\.3 ms\s+12\.74 ms\s+10\.2%\s+120 ms\s+130\.3 ms$/m);
    expect(out).toContain('4.30 standard errors over 3 runs');
    expect(out).toContain('left out: run_0003: server went away');
  });

  test('as JSON prints the file without server metrics', async () => {
    const { out } = await read('summary', join(folder, 'ours'), '--json');
    const found = JSON.parse(out) as ProfileSweep;
    expect(found.per_combination_metrics).toHaveLength(3);
    expect(out).not.toContain('server_metrics');
  });

  test('as Markdown prints a table', async () => {
    const { out } = await read('summary', join(folder, 'aiperf'), '--markdown');
    expect(out).toContain('| ● | concurrency\\_4 |  | 8.125 ±1.588 | 490 ms ±127.1 ms |');
    const repeated = await read('summary', join(folder, 'repeated'), '--markdown');
    expect(repeated.out).toContain('| Request Latency avg | 125.3 ms | 12.74 ms | 10.2% |');
  });
});

describe('a screen', () => {
  test.each([48, 60, 80, 120])('fits %i columns', width => {
    const texts = [
      renderSweep(SWEEP, { width, color: false }),
      ...(width >= 60 ? [renderAggregate(AGGREGATE, { width, color: false })] : []),
    ];
    const tables = texts.flatMap(text =>
      text.split('\n').filter(line => /^ . \S+_\d|^ (?:Req|3 runs)/.test(line)),
    );
    expect(Math.max(...tables.map(({ length }) => length))).toBeLessThanOrEqual(width);
  });

  test.each([
    [1, 1, 'one run of each variation: no confidence intervals (use --num-profile-runs)'],
    [3, 1, 'fewer than two of 3 runs of each variation were successful: no confidence intervals'],
    [3, 0, 'no run was successful'],
  ])(
    'with %i runs per variation, %i of them successful, explains why there is no interval',
    (trials, counted, message) => {
      const without = SWEEP.per_combination_metrics.map(({ metrics, ...one }) => ({
        ...one,
        num_successful_runs: counted,
        metrics: Object.fromEntries(
          Object.entries(counted === 0 ? {} : metrics).map(([name, { mean, unit }]) => [
            name,
            { mean, unit },
          ]),
        ),
      }));
      const sweep = {
        ...SWEEP,
        metadata: { ...SWEEP.metadata, num_trials: trials },
        per_combination_metrics: without,
      };
      expect(renderSweep(sweep, { width: 100, color: false })).toContain(message);
    },
  );

  test('escapes names from servers and users', () => {
    const [first] = SWEEP.per_combination_metrics;
    const evil = { ...first!, variation_label: 'x\u001b[31m' };
    const text = renderSweep({ ...SWEEP, per_combination_metrics: [evil] }, { width: 80, color: false });
    expect(text).not.toContain('\u001b');
  });
});

describe('report', () => {
  test('of a sweep embeds the curve', async () => {
    const { code, out } = await read('report', join(folder, 'ours'), '-o', join(folder, 'sweep.html'));
    expect(code).toBe(0);
    expect(out.trim()).toBe(join(folder, 'sweep.html'));
    const document = buildRunSetDocument({ name: 'ours', kind: 'sweep', sweep: SWEEP });
    expect(document.sweep!.variations.map(({ figures }) => figures.request_throughput_avg!.mean)).toEqual([
      8.125, 15.625, 15.25,
    ]);
    expect(document.sweep!.variations[2]!.figures.request_latency_p99!.half).toBeNull();
    expect(document.servers).toEqual([
      expect.objectContaining({ name: 'vllm:num_requests_running', stat: 'avg' }),
    ]);
    expect(document.servers[0]!.values.map(value => value?.mean)).toEqual([3.8125, 7.625, undefined]);
    expect(document.notes).toEqual(['Left out: concurrency_16/run_0002: server went away']);
  });

  test('of repeated runs has no curve', () => {
    const document = buildRunSetDocument({
      name: 'r',
      kind: 'repeated',
      aggregate: AGGREGATE as ProfileAggregate,
    });
    expect(document.sweep).toBeUndefined();
    expect(document.client.map(({ name, stat }) => `${name} ${stat}`)).toContain('request_latency avg');
    expect(document.columns).toEqual(['mean of the runs']);
  });

  test('rejects --baseline', async () => {
    const { code, err } = await read('report', join(folder, 'ours'), '--baseline', join(folder, 'ours'));
    expect(code).toBe(2);
    expect(err).toContain('--baseline requires a single run');
  });
});

test('names a variation without a label by its parameters', () => {
  expect(formatVariationName({ parameters: { concurrency: 4, isl: 512 }, metrics: {} })).toBe(
    'concurrency_4__isl_512',
  );
});

describe('parameters that are not numbers', () => {
  const [first, ...rest] = SWEEP.per_combination_metrics;
  const parameters = { seed: 9007199254740993n, wait_ns: 5n, shape: { isl: [1, 2] } };
  const { variation_label: _label, ...unnamed } = first!;
  const text = writeProfileSweepJson({
    ...SWEEP,
    per_combination_metrics: [{ ...unnamed, parameters }, ...rest],
    pareto_optimal: [parameters],
  });
  written('odd/profile_export_aiperf_sweep.json', text);
  const name = 'seed_9007199254740993__wait_ns_5__shape_{"isl":[1,2]}';

  test('are part of the name of a variation, with all digits', async () => {
    const several = await openRunSet(join(folder, 'odd'));
    if (several?.kind !== 'sweep') throw new Error('no sweep');
    expect(buildRunSetDocument(several).sweep!.variations[0]).toMatchObject({
      name,
      parameters: { seed: '9007199254740993', wait_ns: '5', shape: '{"isl":[1,2]}' },
    });
  });

  test.each([
    [[], `● ${name}`],
    [['--markdown'], '| ● | seed'],
    [['--json'], '"seed": 9007199254740993,'],
  ])('are printed by summary %j', async (options, expected) => {
    const { code, out } = await read('summary', join(folder, 'odd'), ...options);
    expect(code).toBe(0);
    expect(out).toContain(expected);
  });
});
