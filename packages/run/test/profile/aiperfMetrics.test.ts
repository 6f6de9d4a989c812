import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProfileRecords } from '@org/formats/read';
import {
  type MetricBlock,
  PhaseMetrics,
  ProfileMetrics,
  parseGoodput,
  type RequestMetrics,
} from '@org/loadgen';
import { describe, expect, test } from 'vitest';
import { toEndedRequest } from '../../src/profile/requestLine.ts';

/**
 * Requests of AIPerf 0.13.0 with the fields that metrics use, and the metrics that its library computes from them; see
 * aiperf/computeMetrics.py.
 */
const FOLDER = join(import.meta.dirname, '../files/aiperf-metrics');
const NAMES = readdirSync(FOLDER).flatMap(file => (file.endsWith('.jsonl') ? [file.slice(0, -6)] : []));

type Blocks = Readonly<Record<string, Readonly<Record<string, number | string>>>>;

/** A period and the metrics of its requests. */
interface Expected {
  /** Start and end of the profiling phase, in nanoseconds since 1970. */
  readonly startNs: string;
  readonly endNs: string;
  readonly sliceSeconds?: number;
  readonly slos?: Readonly<Record<string, number>>;
  readonly metrics: Blocks;
  readonly slices: readonly { readonly startNs: number; readonly endNs: number; readonly metrics: Blocks }[];
  readonly histogram: Readonly<Record<string, number>> | null;
}

const readLines = (name: string): string => readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8');
const readExpected = (name: string): Expected =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Expected;

/** A request that AIPerf cancelled counts as failed, as in AIPerf. Times are relative to the start of the phase. */
async function readRequests(
  name: string,
  originNs: bigint,
): Promise<{ readonly request: ReturnType<typeof toEndedRequest>; readonly metrics: RequestMetrics }[]> {
  const requests = [];
  for await (const line of readProfileRecords(readLines(name)))
    requests.push({
      request: { ...toEndedRequest(line, originNs), cancelled: false },
      metrics: (line.metrics ?? {}) as RequestMetrics,
    });
  return requests;
}

/** Computes the metrics of a run and of its slices, over AIPerf's periods. */
async function computeMetrics(name: string, { startNs, endNs, slos, slices }: Expected) {
  const requests = await readRequests(name, BigInt(startNs));
  const isStreaming = requests.some(({ metrics }) => 'time_to_first_token' in metrics);
  const goodput = slos
    ? parseGoodput(
        Object.entries(slos)
          .map(([tag, limit]) => `${tag}:${limit}`)
          .join(' '),
      )
    : undefined;
  const options = { streaming: isStreaming, ...(goodput ? { goodput } : {}) };
  const phase = new PhaseMetrics(options);
  for (const { request, metrics } of requests) phase.add(request, metrics);
  const aggregate = (from: number, to: number, lastNs = to): Record<string, MetricBlock> => {
    const metrics = new ProfileMetrics(options);
    for (const { request, metrics: measured } of requests)
      if (request.startNs >= from && request.startNs < lastNs) metrics.add(request, measured);
    const { benchmark_duration: duration } = metrics.toBlocks();
    return {
      ...metrics.toBlocks(to - from),
      ...(duration ? { benchmark_duration: duration } : {}),
    };
  };
  const durationNs = Number(BigInt(endNs) - BigInt(startNs));
  const ranges = phase.toRangeBlocks(slices);
  return {
    metrics: {
      ...aggregate(0, durationNs, Number.POSITIVE_INFINITY),
      ...phase.toBlocks(0),
      ...phase.toRangeBlocks([{ startNs: 0, endNs: durationNs }])[0],
    },
    slices: slices.map((slice, index) => ({
      ...aggregate(
        slice.startNs,
        slice.endNs,
        index === slices.length - 1 ? Number.POSITIVE_INFINITY : slice.endNs,
      ),
      ...ranges[index],
    })),
    histogram: phase.acceptanceHistogram ?? null,
  };
}

const TOLERANCE = 1e-9;

/** Metrics that differ by design, by run. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  // AIPerf's own exports lack these totals for embeddings, too.
  embeddings: ['total_osl', 'total_token_throughput', 'output_token_throughput'],
};

/** Lists the statistics of AIPerf's metrics that differ, or that are missing. Zeros without a first token are missing. */
function listDifferences(
  name: string,
  expected: Blocks,
  found: Readonly<Record<string, MetricBlock>>,
): string[] {
  const isStreaming = 'time_to_first_token' in expected;
  return Object.entries(expected).flatMap(([tag, block]) => {
    if (DIFFERENT[name]?.includes(tag)) return [];
    const own = found[tag];
    if (!own)
      return !isStreaming && block.max === 0 && block.count === undefined ? [] : [`${tag} is missing`];
    const keys = Object.keys(own).filter(key => !(key in block));
    return [
      ...keys.map(key => `${tag}.${key} is ${own[key as keyof MetricBlock]}; AIPerf has none`),
      ...Object.entries(block).flatMap(([key, value]) => {
        const ownValue = readStat(own, key);
        return isEqual(ownValue, value) ? [] : [`${tag}.${key} is ${ownValue}; expected ${value}`];
      }),
    ];
  });
}

/** Reads a statistic. AIPerf's standard deviation of distributions with a count is of the population, here of a sample. */
function readStat(block: MetricBlock, key: string): number | string | undefined {
  const value = block[key as keyof MetricBlock];
  const { count } = block;
  return key === 'std' && count !== undefined && count > 1
    ? (value as number) * Math.sqrt((count - 1) / count)
    : value;
}

function isEqual(a: number | string | undefined, b: number | string): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b), 1);
}

describe.each(NAMES)("metrics of AIPerf's run %s", name => {
  const expected = readExpected(name);

  test('its library computes the same metrics', async () => {
    const { metrics, histogram } = await computeMetrics(name, expected);
    expect(Object.keys(expected.metrics).length).toBeGreaterThan(25);
    expect(listDifferences(name, expected.metrics, metrics)).toEqual([]);
    expect(histogram).toEqual(expected.histogram);
  });

  test.runIf(expected.slices.length > 0)('its library computes the same metrics of timeslices', async () => {
    const { slices } = await computeMetrics(name, expected);
    expected.slices.forEach((slice, index) => {
      expect(Object.keys(slice.metrics)).toContain('effective_concurrency');
      expect(listDifferences(name, slice.metrics, slices[index]!)).toEqual([]);
    });
  });
});

const PYTHON = process.env.SERVELENS_AIPERF_PYTHON;
if (!PYTHON) console.warn('skipped: no Python with AIPerf 0.13.0 (set SERVELENS_AIPERF_PYTHON to its path)');

test.runIf(PYTHON).each(NAMES)("AIPerf's library computes the recorded metrics of %s", name => {
  const { startNs, endNs, sliceSeconds = null, slos = null, ...results } = readExpected(name);
  const lines = readLines(name).trim().replaceAll('\n', ',');
  // Times have more digits than a double.
  const options = JSON.stringify({ sliceSeconds, slos }).slice(1);
  const input = `{"startNs":${startNs},"endNs":${endNs},"lines":[${lines}],${options}`;
  const script = join(import.meta.dirname, 'aiperf/computeMetrics.py');
  expect(JSON.parse(execFileSync(PYTHON!, [script], { input, encoding: 'utf8' }))).toEqual(results);
});
