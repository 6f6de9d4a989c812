import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProfileMetric, validate } from '@org/formats';
import { LOAD_MARK } from '@org/record/journal';
import { replayJournal } from '@org/scrape';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { killedProfile, linesIn, PATIENCE_MS } from '../profile/killed.ts';
import { blockOf, FAST, filesOf, MODEL } from '../profile/support.ts';

const SHORT = ['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count', '--concurrency', '4'];
/** What is measured in several ways at once: rules, slices, requests that fail. */
const RULED = [
  ...['--goodput', 'time_to_first_token:40 inter_token_latency:9', '--slice-duration', '0.5'],
  ...['--request-cancellation-rate', '25', '--request-cancellation-delay', '0.05'],
];
const FOREVER = ['--benchmark-duration', '1000'];

let simulator: Simulator;
let url = '';
let root = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3 });
  ({ url } = await simulator.listen(0));
  root = mkdtempSync(join(tmpdir(), 'rebuild-'));
});
afterAll(async () => {
  await simulator.close();
  rmSync(root, { recursive: true, force: true });
});

const readText = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

async function recovered(folder: string): Promise<string> {
  const io = testIo(folder);
  expect(await main(['recover', folder], io), io.err.join('')).toBe(0);
  return io.err.join('');
}

async function expectValid(folder: string): Promise<void> {
  const names = readdirSync(folder).filter(name => /\.(?:jsonl?|csv|parquet)$/.test(name));
  for (const name of names) {
    const { issues } = await validate(join(folder, name));
    expect(
      issues.filter(({ severity }) => severity === 'error'),
      name,
    ).toEqual([]);
  }
}

interface Line {
  readonly metadata: { readonly request_start_ns: bigint; readonly request_end_ns: bigint };
  readonly metrics: Record<string, { readonly value: number | readonly number[] }>;
  readonly error: object | null;
}

/** The lines as they stand, read by nothing of ours. */
function linesOf(folder: string): Line[] {
  const whole = readText(folder, 'profile_export.jsonl').split('\n').slice(0, -1);
  return whole.map(line => {
    const exact = line.replace(/("request_(?:start|end)_ns":)(\d+)/g, '$1"$2"');
    const { metadata, ...rest } = JSON.parse(exact);
    const { request_start_ns: start, request_end_ns: end } = metadata;
    return { ...rest, metadata: { request_start_ns: BigInt(start), request_end_ns: BigInt(end) } };
  });
}

/** The values of each metric of single requests. */
function valuesOf(lines: readonly Line[]): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { metrics } of lines)
    for (const [tag, { value }] of Object.entries(metrics))
      values.set(tag, [...(values.get(tag) ?? []), ...[value].flat()]);
  return values;
}

/** How far the servers' scrapes are apart, ns; 0 when there are none. */
function intervalOf(folder: string): bigint {
  if (!existsSync(join(folder, 'server_metrics_export.json'))) return 0n;
  const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
  const [info] = Object.values<{ median_update_interval_ms?: number }>(summary.endpoint_info);
  return BigInt(Math.round((info?.median_update_interval_ms ?? 0) * 1e6));
}

/** As NumPy has it by default. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(place)]!;
  return low + (sorted[Math.ceil(place)]! - low) * (place - Math.floor(place));
}

function ascending(times: readonly bigint[]): bigint[] {
  return [...times].sort((a, b) => Number(a - b));
}

function expectStatistics(document: object, lines: readonly Line[]): void {
  for (const [tag, values] of valuesOf(lines)) {
    const block = blockOf(document, tag) as Required<ProfileMetric>;
    const sum = values.reduce((all, value) => all + value, 0);
    expect(block.count, tag).toBe(values.length);
    expect([block.min, block.max], tag).toEqual([Math.min(...values), Math.max(...values)]);
    expect(Math.abs(block.sum - sum), tag).toBeLessThanOrEqual(1e-12 * Math.abs(sum));
    for (const percent of [1, 50, 90, 99])
      expect(block[`p${percent}` as 'p50'], `${tag} p${percent}`).toBeCloseTo(percentile(values, percent), 9);
  }
}

/** A run that is killed: once it has so many lines, or, without any, once it was scraped for a while. */
interface Kill {
  readonly moment: string;
  readonly lines: number;
  readonly more: readonly string[];
}

const KILLS: readonly Kill[] = [
  { moment: 'in its warm-up', lines: 0, more: ['--warmup-duration', '1000'] },
  { moment: 'when profiling had begun', lines: 1, more: ['--warmup-request-count', '4'] },
  { moment: 'among failures', lines: 25, more: ['--warmup-request-count', '4', '--workers', '2', ...RULED] },
  { moment: 'without server metrics', lines: 12, more: ['--no-server-metrics', ...RULED] },
];

/** A run that is killed with more lines than these is compared with its servers: it was scraped since profiling began. */
const COMPARED = 20;

/** Whether there is a scrape behind a moment in a journal; a busy machine may take a while for it. */
function isScrapedSince(journal: string, kind: string): boolean {
  const { marks, endpoints } = replayJournal(journal);
  const moment = marks.find(mark => mark.kind === kind);
  if (!moment) return false;
  return endpoints.some(({ store }) => {
    const { originNs, offsetsNs } = store.timeline();
    return originNs + BigInt(offsetsNs.at(-1) ?? 0) > moment.atNs + 100_000_000n;
  });
}

/** Most of the time such a run starts: all of them do at once. */
const killed = new Map<string, Promise<string>>();
beforeAll(() => {
  for (const { moment, lines, more } of KILLS) {
    const folder = join(root, moment);
    const journal = join(folder, 'server_metrics.journal');
    const isTime = (): boolean => {
      if (lines === 0) return existsSync(journal) && statSync(journal).size > 15_000;
      return linesIn(folder) >= lines && (lines <= COMPARED || isScrapedSince(journal, LOAD_MARK.started));
    };
    const over = killedProfile(url, folder, [...SHORT, ...FOREVER, ...more], isTime);
    over.catch(() => {});
    killed.set(moment, over);
  }
});

describe.each(KILLS)('a run killed $moment', ({ moment, lines: least, more }) => {
  const hasServers = !more.includes('--no-server-metrics');
  let folder = '';
  let said = '';
  let lines: readonly Line[] = [];
  beforeAll(async () => {
    folder = join(root, moment);
    await killed.get(moment);
    lines = linesOf(folder);
    said = await recovered(folder);
  }, PATIENCE_MS);

  test('has valid exports of the requested formats only', async () => {
    await expectValid(folder);
    const names = readdirSync(folder);
    expect(names).toContain('profile_export_aiperf.csv');
    expect(names.includes('server_metrics_export.json')).toBe(hasServers);
    expect(names.includes('profile_export_aiperf_timeslices.json')).toBe(more.includes('--slice-duration'));
    expect(names).not.toContain('servelens.sock');
  });

  test('has the statistics of its requests', async () => {
    const { document } = await filesOf(folder);
    const answered = lines.filter(({ error }) => error === null);
    expect(lines.length).toBeGreaterThanOrEqual(least);
    expectStatistics(document, lines);
    expect(blockOf(document, 'request_count').avg).toBe(answered.length);
    const failed = lines.length - answered.length;
    if (failed > 0) expect(blockOf(document, 'error_request_count').avg).toBe(failed);
    else expect(document).not.toHaveProperty('error_request_count');
    expect((document.error_summary ?? []).reduce((all, { count }) => all + count, 0)).toBe(failed);
    if (answered.length === 0) return;
    const starts = answered.map(({ metadata }) => metadata.request_start_ns);
    const [first] = ascending(starts);
    const ends = answered.map(({ metadata, metrics }) => {
      const latency = metrics.request_latency!.value as number;
      return metadata.request_start_ns + BigInt(Math.round(latency * 1e6));
    });
    const last = ascending(ends).at(-1);
    expect(blockOf(document, 'benchmark_duration').avg).toBe(Number(last! - first!) / 1e9);
    if (!more.includes('--goodput')) return;
    const good = answered.filter(({ metrics }) => {
      const [ttft, itl] = [metrics.time_to_first_token?.value, metrics.inter_token_latency?.value];
      return Number(ttft) <= 40 && Number(itl) <= 9;
    });
    expect(blockOf(document, 'good_request_count').avg).toBe(good.length);
  });

  test('assigns requests to the timeslices in which they started', async () => {
    const { slices } = await filesOf(folder);
    if (!more.includes('--slice-duration')) return expect(slices).toBeUndefined();
    const found = slices!.timeslices.map(slice => {
      const start = slice.start_ns as bigint;
      return { start, requests: blockOf(slice, 'request_count').avg };
    });
    // What began in a rest that is shorter than scrapes are apart is in the last slice, as at the servers.
    const last = found.at(-1)!.start;
    const began = (from: bigint): number =>
      lines.filter(({ metadata: { request_start_ns: at }, error }) => {
        return (
          error === null && at >= from && at < from + 500_000_000n + (from === last ? intervalOf(folder) : 0n)
        );
      }).length;
    expect(found.map(({ requests }) => requests)).toEqual(found.map(({ start }) => began(start)));
    const answered = lines.filter(({ error }) => error === null).length;
    expect(found.reduce((all, { requests }) => all + requests!, 0)).toBe(answered);
  });

  test('records that it was recovered, and omits unknown values', async () => {
    const { document } = await filesOf(folder);
    expect(document).toMatchObject({
      was_cancelled: true,
      recovered: { requests: lines.length, lines_dropped: 0 },
      run_info: { random_seed: 7, run_label: 'run_0001' },
      input_config: { endpoint: { model: MODEL } },
    });
    expect(document.load_generator).toEqual({
      tokenizer: 'server',
      ...(more.includes('--workers') ? { workers: 2 } : {}),
    });
    expect(document.run_info!.cli_command).toContain('--isl 20');
    expect(said).not.toContain('left out');
    const { reconciliation } = document;
    if (!hasServers || least === 0) return expect(reconciliation).toBeUndefined();
    // Of a run that was killed at once there may have been no scrape since.
    if (least > COMPARED) expect(reconciliation).toBeDefined();
    if (reconciliation) {
      expect(reconciliation.findings.map(({ kind }) => kind)).toContain('run_killed');
      expect(reconciliation.requests!.client).toBeLessThanOrEqual(lines.length);
    }
    const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
    expect(summary.was_cancelled).toBe(true);
  });
});

describe.each([
  { which: 'with server metrics', more: ['--warmup-request-count', '4'] },
  { which: 'without', more: ['--no-server-metrics', '--profile-export-prefix', 'p'] },
])('a run $which whose journal is kept', ({ which, more }) => {
  let folder = '';
  let before = new Map<string, string>();
  beforeAll(async () => {
    folder = join(root, which);
    const io = testIo(root, FAST);
    const args = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--request-count', '40'];
    const all = ['profile', ...args, ...SHORT, ...RULED, '--keep-journal', ...more];
    expect(await main(all, io), io.err.join('')).toBe(0);
    const names = readdirSync(folder).filter(name => /\.(?:json|csv)$/.test(name));
    before = new Map(names.map(name => [name, readText(folder, name)]));
    for (const name of names) rmSync(join(folder, name));
  }, PATIENCE_MS);

  test('recovers the same exports, except for the field `recovered`', async () => {
    expect(before.size).toBe(more.includes('--no-server-metrics') ? 4 : 6);
    await recovered(folder);
    for (const [name, text] of before) {
      const found = readText(folder, name);
      if (!found.includes('"recovered"')) expect(found, name).toBe(text);
      else
        expect(
          found.replace(/,\n {2}"recovered": \{\n {4}"requests": 40,\n {4}"lines_dropped": 0\n {2}\}/, ''),
        ).toBe(text);
    }
    expect(before.get(more.includes('p') ? 'p.json' : 'profile_export_aiperf.json')).toMatch(
      /"was_cancelled": false/,
    );
  });

  test('writes no exports if the requests cannot be read', async () => {
    const path = join(folder, more.includes('p') ? 'p.jsonl' : 'profile_export.jsonl');
    renameSync(path, `${path}.aside`);
    mkdirSync(path);
    const io = testIo(folder);
    expect(await main(['recover', folder], io)).toBe(2);
    expect(io.err.join('')).toContain(`cannot read ${path}: it is a folder`);
    rmSync(path, { recursive: true });
    renameSync(`${path}.aside`, path);
  });

  test('reports and drops a truncated line', async () => {
    const prefix = more.includes('p') ? 'p' : 'profile_export';
    const path = join(folder, `${prefix}.jsonl`);
    const text = readFileSync(path, 'utf8');
    appendFileSync(path, text.slice(0, 200));
    expect(await recovered(folder)).toMatch(/skipped line 41 of p\w*\.jsonl: .*the line is incomplete/);
    const json = more.includes('p') ? 'p.json' : 'profile_export_aiperf.json';
    const document = JSON.parse(readText(folder, json));
    expect(document.recovered).toEqual({ requests: 40, lines_dropped: 1 });
  });
});

test(
  'a run killed after its load ended is recovered completely',
  async () => {
    const folder = join(root, 'over');
    const journal = join(folder, 'server_metrics.journal');
    const isOver = (): boolean =>
      existsSync(journal) && readFileSync(journal, 'latin1').includes(LOAD_MARK.ended);
    await killedProfile(url, folder, [...SHORT, ...RULED, '--request-count', '20'], isOver, {
      AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '30',
    });
    await recovered(folder);
    await expectValid(folder);
    const { document, slices } = await filesOf(folder);
    expect(document).toMatchObject({ was_cancelled: false, load_generator: { stop_reason: 'requests' } });
    expect(document.load_generator!.warnings).toBeDefined();
    expect(document.reconciliation!.findings.map(({ kind }) => kind)).not.toContain('run_killed');
    expectStatistics(document, linesOf(folder));
    expect(slices!.timeslices.length).toBeGreaterThan(0);
    const { summary } = JSON.parse(readText(folder, 'server_metrics_export.json'));
    expect(summary.was_cancelled).toBe(false);
  },
  PATIENCE_MS,
);

test('keeps the requests of an earlier run whose journal exists, and recovers them', async () => {
  const folder = join(root, 'twice');
  const args = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--no-server-metrics'];
  const runs = ['5', '6'];
  const io = testIo(root, FAST);
  for (const count of runs)
    expect(await main(['profile', ...args, ...SHORT, '--request-count', count, '--keep-journal'], io)).toBe(
      0,
    );
  expect(io.err.join('')).toContain('as profile.requests.jsonl');
  const names = ['profile.journal', 'profile.requests.jsonl'];
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...names, 'profile-2.journal']));
  const again = testIo(folder);
  expect(await main(['recover', join(folder, 'profile.journal')], again)).toBe(2);
  expect(again.err.join('')).toMatch(
    /contains the exports of a later run, which would be overwritten; first move/,
  );
  const own = join(root, 'once');
  mkdirSync(own);
  for (const name of names) renameSync(join(folder, name), join(own, name));
  await recovered(own);
  expect(JSON.parse(readText(own, 'profile_export_aiperf.json')).recovered.requests).toBe(5);
  await recovered(folder);
  expect(JSON.parse(readText(folder, 'profile_export_aiperf.json')).recovered.requests).toBe(6);
});
