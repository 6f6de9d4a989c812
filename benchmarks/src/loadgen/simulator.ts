import { type PhaseOptions, type RequestRecord, syntheticInputs } from '@org/loadgen';
import { captured } from './capture.ts';
import { type Loaded, load, profiled, quantile, rounded } from './load.ts';
import { clientTimes, isClose, type Times, truthTimes, wireTimes } from './times.ts';
import { fetchTruth } from './truth.ts';
import { wallOffsetNs } from './wallclock.ts';
import { exchangesOf, type WireExchange } from './wire.ts';

/**
 * Loads that have some 200 streams of 60 tokens under way at a quarter of the simulator's speed: requests that come by themselves, and
 * requests that follow each other at once, each when the simulator writes the tokens of the step that ended another.
 */
export const LOADS: Readonly<Record<'open' | 'closed', PhaseOptions>> = {
  open: { rate: 55 },
  closed: { concurrency: 200 },
};
const WARMUP_REQUESTS = 200;
const REQUESTS = 800;

/** What was measured of each request, and what a witness says of it. */
type Pair = readonly [measured: Times, real: Times];

/** A load on the simulator, and figures of its errors. */
export interface Compared {
  readonly loaded: Loaded;
  readonly figures: readonly object[];
}

/** Puts a load on the simulator and holds each request against the simulator's truth, and both against the packets, where those can be had. */
export async function comparedWithSimulator(url: string, phase: PhaseOptions): Promise<Compared> {
  const port = Number(new URL(url).port);
  const [loaded, capture] = await captured(port, () => loadSimulator(url, phase));
  const truth = await fetchTruth(url);
  const records = profiled(loaded);
  const figures = spread(
    'client',
    'truth',
    // The truth knows nothing of connecting.
    records.map(record => [clientTimes(record, record.trace.sendStartNs!), truthTimes(truth(record))]),
  );
  if (!capture) return { loaded, figures };
  const wallNs = wallOffsetNs();
  const exchanges = exchangesOf(capture, port);
  const seen = records.map(record => [record, exchangeOf(record, exchanges)] as const);
  figures.push(
    ...spread(
      'client',
      'wire',
      seen.map(([record, wire]) => [
        clientTimes(record, record.startNs),
        wireTimes(wire, wire.connectNs ?? wire.sentNs),
      ]),
    ),
    ...spread(
      'truth',
      'wire',
      seen.map(([record, wire]) => [truthTimes(truth(record)), wireTimes(wire, wire.requestedNs)]),
    ),
    stampFigures(seen, loaded.summary.originNs + wallNs),
  );
  return { loaded, figures };
}

function loadSimulator(url: string, phase: PhaseOptions): Promise<Loaded> {
  return load(url, undefined, {
    target: { urls: [url], model: 'm', streaming: true, extraInputs: { ignore_eos: true } },
    inputs: syntheticInputs({
      seed: 1,
      inputTokens: { mean: 32, stddev: 8 },
      outputTokens: { mean: 60, stddev: 20 },
    }),
    warmup: { ...phase, requestCount: WARMUP_REQUESTS },
    profiling: { ...phase, requestCount: REQUESTS },
  });
}

function exchangeOf(record: RequestRecord, exchanges: ReadonlyMap<string, WireExchange>): WireExchange {
  const wire = exchanges.get(record.requestId);
  const tokens = wire?.tokensNs.length ?? 0;
  if (wire && tokens === record.arrivals.pieces) return wire;
  throw new Error(
    `the capture has ${tokens} tokens of request ${record.requestId}, not ${record.arrivals.pieces}`,
  );
}

function spread(measured: string, witness: string, pairs: readonly Pair[]): object[] {
  return (['ttft', 'itl', 'latency'] as const).map(metric => {
    const errors = pairs.map(([ours, real]) => (ours[metric] - real[metric]) / 1e6);
    const close = pairs.filter(([ours, real]) => isClose(ours[metric], real[metric]));
    return {
      metric,
      measured,
      witness,
      requests: pairs.length,
      error_p1_ms: rounded(quantile(errors, 0.01)),
      error_p50_ms: rounded(quantile(errors, 0.5)),
      error_p99_ms: rounded(quantile(errors, 0.99)),
      share_within_1_ms_or_1_percent: rounded(close.length / pairs.length, 4),
    };
  });
}

/** How late the client stamped each token, by the wall. */
function stampFigures(seen: readonly (readonly [RequestRecord, WireExchange])[], originNs: bigint): object {
  const errors = seen.flatMap(([{ arrivals }, { tokensNs }]) =>
    tokensNs.map((atNs, index) => (arrivals.timesNs[index]! - Number(atNs - originNs)) / 1e6),
  );
  return {
    metric: 'stamp of a token',
    measured: 'client',
    witness: 'wire',
    tokens: errors.length,
    error_p1_ms: rounded(quantile(errors, 0.01)),
    error_p50_ms: rounded(quantile(errors, 0.5)),
    error_p99_ms: rounded(quantile(errors, 0.99)),
    share_within_1_ms: rounded(errors.filter(error => Math.abs(error) <= 1).length / errors.length, 4),
  };
}
