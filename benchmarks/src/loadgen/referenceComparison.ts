import { createSyntheticInputs, type PhaseOptions, type RequestRecord } from '@org/loadgen';
import { computeErrorFigures, computeTimestampFigures, type TimesPair } from './errorFigures.ts';
import { getProfiled, type LoadResult, runLoad } from './load.ts';
import { capturePackets } from './packetCapture.ts';
import { computeClientTimes, computeTruthTimes, computeWireTimes } from './requestTimes.ts';
import { fetchTruth } from './simulatorTruth.ts';
import { measureWallOffsetNs } from './wallClock.ts';
import { readExchanges, type WireExchange } from './wireExchange.ts';

/**
 * Loads with about 200 concurrent streams of 60 tokens at a quarter of the simulator's normal speed: an open loop,
 * and a closed loop in which each request is sent as soon as the last tokens of another request arrive.
 */
export const REFERENCE_LOADS: Readonly<Record<'open' | 'closed', PhaseOptions>> = {
  open: { rate: 55 },
  closed: { concurrency: 200 },
};
const WARMUP_REQUESTS = 200;
const REQUESTS = 800;

/** Result of a load, and the error distribution of its measurements. */
export interface ReferenceComparison {
  readonly loaded: LoadResult;
  readonly figures: readonly object[];
}

/**
 * Runs a load on the simulator. Compares each request with the simulator's truth, and both with the captured
 * packets, if capturing is possible.
 */
export async function compareWithSimulator(url: string, phase: PhaseOptions): Promise<ReferenceComparison> {
  const port = Number(new URL(url).port);
  const [loaded, capture] = await capturePackets(port, () => loadSimulator(url, phase));
  const truth = await fetchTruth(url);
  const records = getProfiled(loaded);
  const figures = compareTimes(
    'client',
    'truth',
    // The truth does not include the time to connect, so client times start when the request is sent.
    records.map(record => [
      computeClientTimes(record, record.trace.sendStartNs!),
      computeTruthTimes(truth(record)),
    ]),
  );
  if (!capture) return { loaded, figures };
  const wallNs = measureWallOffsetNs();
  const exchanges = readExchanges(capture, port);
  const observed = records.map(record => [record, findExchange(record, exchanges)] as const);
  figures.push(
    ...compareTimes(
      'client',
      'wire',
      observed.map(([record, wire]) => [
        computeClientTimes(record, record.startNs),
        computeWireTimes(wire, wire.connectNs ?? wire.sentNs),
      ]),
    ),
    ...compareTimes(
      'truth',
      'wire',
      observed.map(([record, wire]) => [
        computeTruthTimes(truth(record)),
        computeWireTimes(wire, wire.requestedNs),
      ]),
    ),
    compareTimestamps(observed, loaded.summary.originNs + wallNs),
  );
  return { loaded, figures };
}

function loadSimulator(url: string, phase: PhaseOptions): Promise<LoadResult> {
  return runLoad(url, undefined, {
    target: { urls: [url], model: 'm', streaming: true, extraInputs: { ignore_eos: true } },
    inputs: createSyntheticInputs({
      seed: 1,
      inputTokens: { mean: 32, stddev: 8 },
      outputTokens: { mean: 60, stddev: 20 },
    }),
    warmup: { ...phase, requestCount: WARMUP_REQUESTS },
    profiling: { ...phase, requestCount: REQUESTS },
  });
}

function findExchange(record: RequestRecord, exchanges: ReadonlyMap<string, WireExchange>): WireExchange {
  const wire = exchanges.get(record.requestId);
  const tokens = wire?.tokensNs.length ?? 0;
  if (wire && tokens === record.arrivals.pieces) return wire;
  throw new Error(
    `the capture contains ${tokens} tokens of request ${record.requestId}; expected ${record.arrivals.pieces}`,
  );
}

function compareTimes(measured: string, reference: string, pairs: readonly TimesPair[]): object[] {
  return (['ttft', 'itl', 'latency'] as const).map(metric => ({
    metric,
    measured,
    reference,
    ...computeErrorFigures(metric, pairs),
  }));
}

/** Compares the client's timestamps of tokens with the captured packets. */
function compareTimestamps(
  observed: readonly (readonly [RequestRecord, WireExchange])[],
  originNs: bigint,
): object {
  const errorsMs = observed.flatMap(([{ arrivals }, { tokensNs }]) =>
    tokensNs.map((atNs, index) => (arrivals.timesNs[index]! - Number(atNs - originNs)) / 1e6),
  );
  return {
    metric: 'timestamp of a token',
    measured: 'client',
    reference: 'wire',
    ...computeTimestampFigures(errorsMs),
  };
}
