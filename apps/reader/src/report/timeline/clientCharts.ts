import { openInput } from '@org/analysis/files';
import type { ProfileRecord } from '@org/formats';
import { isWarmupRecord, readProfileRecords } from '@org/formats/read';
import type { TimeChart } from '../document.ts';
import type { ReadIssues } from '../readIssues.ts';
import { type Axis, addToBins, BinMeans, findBin, roundValue } from './timeAxis.ts';

/**
 * Builds the charts of the load generator's profiling requests on the time axis of the server metrics. The timestamps
 * of requests and scrapes are comparable only if the load generator and Servelens ran on the same machine.
 * Returns an empty array if the file contains no such requests.
 */
export async function buildClientCharts(
  file: string,
  startNs: bigint,
  axis: Axis,
  issues: ReadIssues,
): Promise<TimeChart[]> {
  const bins = new ClientBins(startNs, axis);
  for await (const record of readProfileRecords(await openInput(file), {
    onIssue: issues.createCallback(file),
  }))
    if (!isWarmupRecord(record)) bins.add(record);
  return bins.buildCharts();
}

/** Aggregates requests into the bins of the time axis. */
class ClientBins {
  readonly #startNs: bigint;
  readonly #axis: Axis;
  /** The total time that requests were in flight, in seconds per bin. */
  readonly #inFlight: Float64Array;
  readonly #completed: Float64Array;
  readonly #failed: Float64Array;
  readonly #tokens: Float64Array;
  readonly #means: Readonly<Record<'firstToken' | 'latency' | 'interToken', BinMeans>>;
  /** The start of the earliest request, in seconds since the start of the axis. */
  #firstStart = Number.POSITIVE_INFINITY;

  constructor(startNs: bigint, axis: Axis) {
    this.#startNs = startNs;
    this.#axis = axis;
    const createBins = (): Float64Array => new Float64Array(axis.bins);
    this.#inFlight = createBins();
    this.#completed = createBins();
    this.#failed = createBins();
    this.#tokens = createBins();
    this.#means = {
      firstToken: new BinMeans(axis),
      latency: new BinMeans(axis),
      interToken: new BinMeans(axis),
    };
  }

  add({ metadata, metrics, error }: ProfileRecord): void {
    const start = this.#toAxisSeconds(metadata.request_start_ns);
    const end = this.#toAxisSeconds(metadata.request_end_ns);
    this.#firstStart = Math.min(this.#firstStart, start);
    addToBins(this.#inFlight, this.#axis, start, end, end - start);
    const bin = findBin(this.#axis, end);
    if (bin >= 0) (error ? this.#failed : this.#completed)[bin]!++;
    if (error) return;
    const firstToken = readSeconds(metrics.time_to_first_token);
    this.#means.latency.add(end, readSeconds(metrics.request_latency));
    this.#means.firstToken.add(start + (firstToken ?? 0), firstToken);
    this.#means.interToken.add(end, readSeconds(metrics.inter_token_latency));
    const tokens = metrics.output_sequence_length?.value;
    if (typeof tokens === 'number')
      addToBins(this.#tokens, this.#axis, start + (firstToken ?? 0), end, tokens);
  }

  buildCharts(): TimeChart[] {
    if (this.#firstStart === Number.POSITIVE_INFINITY) return [];
    // Warm-up requests are left out, so values before the first request are unknown, not 0.
    const firstBin = Math.floor(this.#firstStart / this.#axis.width);
    const toRates = (sums: Float64Array): (number | null)[] =>
      Array.from(sums, (sum, bin) => (bin < firstBin ? null : roundValue(sum / this.#axis.width)));
    const { firstToken, latency, interToken } = this.#means;
    return [
      createChart('requests in flight', 'sent, but not completed', null, '', toRates(this.#inFlight)),
      createChart('requests completed', 'without errors', 'requests', '/s', toRates(this.#completed)),
      ...(this.#failed.some(count => count > 0)
        ? [createChart('requests failed', 'with errors', 'requests', '/s', toRates(this.#failed))]
        : []),
      ...createMeanChart(firstToken, 'time_to_first_token', 'mean, at the time of the first token'),
      ...createMeanChart(interToken, 'inter_token_latency', 'mean, at the end of the request'),
      ...createMeanChart(latency, 'request_latency', 'mean, at the end of the request'),
      ...(this.#tokens.some(count => count > 0)
        ? [
            createChart(
              'output tokens',
              'spread evenly over each response',
              'tokens',
              '/s',
              toRates(this.#tokens),
            ),
          ]
        : []),
    ];
  }

  #toAxisSeconds(ns: bigint): number {
    return Number(ns - this.#startNs) / 1e9;
  }
}

/**
 * Builds the chart of a mean latency. Returns an empty array if the latency was not measured, such as the
 * time to first token without streaming.
 */
function createMeanChart(means: BinMeans, name: string, meaning: string): TimeChart[] {
  const values = means.values();
  if (values.every(value => value === null)) return [];
  return [
    createChart(
      name,
      meaning,
      'seconds',
      '',
      values.map(value => (value === null ? null : roundValue(value))),
    ),
  ];
}

function createChart(
  name: string,
  meaning: string,
  unit: string | null,
  unitSuffix: string,
  all: readonly (number | null)[],
): TimeChart {
  return { name, meaning, unit, unitSuffix, combined: 'sum', side: 'client', all };
}

/** Time units of profile exports, in seconds. */
const UNIT_SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, sec: 1 };

function readSeconds(metric: ProfileRecord['metrics'][string] | undefined): number | undefined {
  const scale = metric && UNIT_SECONDS[metric.unit];
  return scale !== undefined && typeof metric?.value === 'number' ? metric.value * scale : undefined;
}
