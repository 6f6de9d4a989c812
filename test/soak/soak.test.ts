import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runServelens } from '../servelens.ts';
import { root } from '../source.ts';
import { Fleet, type Member } from './fleet.ts';
import { ResidentMemory } from './residentMemory.ts';

/**
 * Duration of the run in seconds: SERVELENS_SOAK_SECONDS, by default 300. In less than 60 s, some faults would
 * not occur.
 */
const SECONDS = Math.max(60, Number(process.env.SERVELENS_SOAK_SECONDS ?? 300));
const INTERVAL_S = 0.333;
const TICKS = Math.floor(SECONDS / INTERVAL_S);
/** Seconds before the first measurement of memory. By then, code is compiled and all series are known. */
const WARMUP_S = Math.min(120, SECONDS * 0.4);
/** Length of the two intervals, after the warm-up and at the end, in which memory is measured, in seconds. */
const MEASUREMENT_S = Math.min(60, SECONDS * 0.2);
/** Seconds allowed for the exports and for a busy machine, in addition to the run. */
const EXPORT_TIMEOUT_S = 180 + SECONDS / 6;

/**
 * Bytes per sample, for an estimate of the number of samples from the transferred bytes. Comment lines make the
 * estimate too high, compressed bodies too low.
 */
const BYTES_PER_LINE = 115;
/** Memory per sample in the store (0.5 to 1.2 bytes, see docs/benchmarks.md), including uncollected garbage. */
const BYTES_PER_SAMPLE = 1.5;
const SLACK_MB = 48;
/**
 * Minimum share of ticks of a calm endpoint. The machine also runs forty servers; if cores are busy,
 * responses take longer than the interval and scrapes back off. The actual share is printed.
 */
const MIN_TICK_SHARE = 0.8;
/**
 * Minimum share of faults that must be recorded. Two faults may overlap, and a fault may occur between two
 * scrapes.
 */
const MIN_FAULT_SHARE = 0.8;

interface EndpointInfo {
  readonly configured_url?: string;
  readonly status: string;
  readonly total_fetches: number;
  /** Size of the bodies as transferred. */
  readonly bytes_received: number;
  readonly scrapes_failed: number;
  readonly scrapes_late: number;
  readonly outages: readonly {
    readonly scrapes: number;
    readonly reason: string;
    readonly start_ns: number;
    readonly end_ns?: number;
  }[];
  readonly outages_omitted?: number;
  readonly last_error?: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const fleet = new Fleet();
const resident = new ResidentMemory();
let exitCode: number | null = null;
let output = '';
let infos: Record<string, EndpointInfo> = {};
let samples = 0;

beforeAll(
  async () => {
    await fleet.listen();
    await runCollect();
    const text = readFileSync(join(folder, 'server_metrics_export.json'), 'utf8');
    infos = (JSON.parse(text) as { summary: { endpoint_info: Record<string, EndpointInfo> } }).summary
      .endpoint_info;
    samples = fleet.members.reduce(
      (sum, member) => sum + findInfo(member).bytes_received / BYTES_PER_LINE,
      0,
    );
    printSummary();
  },
  (SECONDS + EXPORT_TIMEOUT_S) * 1000,
);

afterAll(async () => {
  await fleet.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `servelens collect` against the fleet and samples its memory. */
async function runCollect(): Promise<void> {
  const urls = fleet.members.map(({ url }) => url);
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'apps/cli/bin/servelens.js'), 'collect', '--server-metrics', ...urls],
      ...['--duration', String(SECONDS), '--artifact-dir', folder],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'close');
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // Faults stop early enough for every endpoint to recover.
      if (!hasStarted && /endpoint\S* reachable/.test(output)) {
        hasStarted = true;
        fleet.injectFaults(SECONDS - 10);
        setTimeout(() => resident.stop(), (SECONDS - 1) * 1000);
        void resident.watch(child.pid!);
      }
    });
  [exitCode] = (await ended) as [number | null];
  if (exitCode !== 0) throw new Error(`the run exited with code ${exitCode}: ${output}`);
}

let hasStarted = false;

/** Prints the results as JSON, and every unexpected failure. */
function printSummary(): void {
  const calm = fleet.members.filter(({ role }) => role.intervalS === undefined).map(findInfo);
  const sumOver = (infos: readonly EndpointInfo[], getValue: (info: EndpointInfo) => number): number =>
    infos.reduce((total, info) => total + getValue(info), 0);
  const allInfos = fleet.members.map(findInfo);
  const late = sumOver(calm, info => info.scrapes_late);
  const fetches = sumOver(allInfos, info => info.total_fetches);
  const summary = {
    bench: 'soak',
    seconds: SECONDS,
    endpoints: fleet.members.length,
    fetches,
    failed: sumOver(allInfos, info => info.scrapes_failed),
    faults: fleet.members.reduce((total, { faultCount }) => total + faultCount, 0),
    ticks_met_calm: Number((sumOver(calm, info => info.total_fetches) / (calm.length * TICKS)).toFixed(4)),
    late_calm: late,
    rss_mb_start: Math.round(resident.computeMedianMb(WARMUP_S, WARMUP_S + MEASUREMENT_S)),
    rss_mb_end: Math.round(resident.computeMedianMb(SECONDS - MEASUREMENT_S, SECONDS)),
    rss_mb_max: Math.round(Math.max(...resident.samples.map(({ mb }) => mb))),
    cpu_ms_per_fetch: Number(((resident.cpuS * 1000) / fetches).toFixed(3)),
    samples: Math.round(samples),
    load_average: loadavg()[0],
    cores: cpus().length,
  };
  console.log(JSON.stringify(summary));
  for (const member of fleet.members) reportUnexpected(member);
}

/**
 * Prints unexpected failures and endpoints that did not recover, so that an hour's soak test need not be
 * repeated for a diagnosis.
 */
function reportUnexpected(member: Member): void {
  const { status, scrapes_failed, outages, last_error } = findInfo(member);
  const { failedScrapes, intervalS } = member.role;
  const isCalm = intervalS === undefined || failedScrapes === 0;
  if (status === 'active' && !(isCalm && scrapes_failed > 0)) return;
  const last = outages.slice(-3);
  console.log(
    JSON.stringify({ unexpected: formatName(member), status, scrapes_failed, last_error, outages: last }),
  );
}

/** Returns the export's entry of a server, even if its metrics were found at another URL. */
function findInfo({ url }: Member): EndpointInfo {
  const info =
    infos[url] ?? Object.values(infos).find(({ configured_url: configured }) => configured === url);
  if (!info)
    throw new Error(`the export has no entry for ${url}; its entries are ${Object.keys(infos).join(', ')}`);
  return info;
}

describe(`${SECONDS} s with unreliable servers`, () => {
  test('end successfully', () => {
    expect(exitCode, output).toBe(0);
    expect(Object.keys(infos)).toHaveLength(40);
  });

  test('use no more additional memory than the collected data takes', () => {
    const atStart = resident.computeMedianMb(WARMUP_S, WARMUP_S + MEASUREMENT_S);
    const atEnd = resident.computeMedianMb(SECONDS - MEASUREMENT_S, SECONDS);
    const collectedSince = samples * (1 - (WARMUP_S + MEASUREMENT_S / 2) / SECONDS);
    expect(atStart).toBeGreaterThan(0);
    expect(atEnd).toBeLessThan(atStart + (collectedSince * BYTES_PER_SAMPLE) / 1e6 + SLACK_MB);
  });

  test('write valid exports', async () => {
    const files = ['json', 'csv', 'parquet'].map(extension =>
      join(folder, `server_metrics_export.${extension}`),
    );
    const { code, stdout, stderr } = await runServelens(['validate', ...files]);
    expect(code, stdout + stderr).toBe(0);
  }, 120_000);

  test('end with every endpoint active, or intermittent if scrapes failed often', () => {
    for (const member of fleet.members) {
      const { status, scrapes_failed: failed = 0, total_fetches: succeeded } = findInfo(member);
      const share = failed / (failed + succeeded);
      // The threshold of 5% applies to scrapes since the first success.
      if (share < 0.04) expect(status, formatName(member)).toBe('active');
      else if (share > 0.06) expect(status, formatName(member)).toBe('intermittent');
      else expect(['active', 'intermittent'], formatName(member)).toContain(status);
    }
  });

  test('scrape calm endpoints at nearly every tick', () => {
    for (const member of fleet.members.filter(({ role }) => role.intervalS === undefined)) {
      const info = findInfo(member);
      expect(info.scrapes_failed, formatName(member)).toBe(0);
      expect(info.total_fetches, formatName(member)).toBeGreaterThanOrEqual(TICKS * MIN_TICK_SHARE);
      // In addition to the ticks, there are barrier scrapes and the flush period.
      expect(info.total_fetches, formatName(member)).toBeLessThanOrEqual(TICKS + 20);
    }
  });

  test('count failures with their reasons', () => {
    for (const member of fleet.members) {
      const info = findInfo(member);
      const { failedScrapes, reason, intervalS } = member.role;
      if (intervalS === undefined) continue;
      expect(member.faultCount).toBeGreaterThan(0);
      const { outages } = info;
      const minFaults = Math.floor(member.faultCount * MIN_FAULT_SHARE);
      if (failedScrapes !== undefined)
        expect(info.scrapes_failed, formatName(member)).toBeLessThanOrEqual(
          failedScrapes * member.faultCount,
        );
      expect(info.scrapes_failed, formatName(member)).toBeGreaterThanOrEqual(
        (failedScrapes ?? 1) * minFaults,
      );
      if (failedScrapes !== 0 && !info.outages_omitted) {
        expect(outages.length, formatName(member)).toBeGreaterThanOrEqual(minFaults);
        expect(outages.reduce((sum, { scrapes }) => sum + scrapes, 0)).toBe(info.scrapes_failed);
      }
      for (const outage of outages) {
        expect(outage.reason, formatName(member)).toMatch(reason ?? /^$/);
        expect(outage.end_ns, formatName(member)).toBeDefined();
      }
      if (member.role.name === 'slow')
        expect(info.scrapes_late, formatName(member)).toBeGreaterThanOrEqual(minFaults);
    }
  });
});

function formatName({ kind, role }: Member): string {
  return `${kind}, ${role.name}`;
}
