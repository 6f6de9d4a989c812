import { createSyntheticInputs, type PhaseOptions, type RequestRecord } from '@org/loadgen';
import { computeErrorFigures, computeTimestampFigures, type TimesPair } from './errorFigures.ts';
import { getProfilingRecords, type LoadResult, runLoad } from './load.ts';
import { capturePackets } from './packetCapture.ts';
import { computeClientTimes, computeTruthTimes, computeWireTimes } from './requestTimes.ts';
import { fetchTruth } from './simulatorTruth.ts';
import { measureWallOffsetNs } from './wallClock.ts';
import { readExchanges, type WireExchange } from './wireExchange.ts';

/**
 * Loads with about 200 concurrent streams of 60 tokens at a quarter of the simulator's normal speed: an open loop,
 * and a closed loop, in which each request is sent as soon as another request completes.
 */
export const REFERENCE_LOADS: Readonly<Record<'open' | 'closed', PhaseOptions>> = {
  open: { rate: 55 },
  closed: { concurrency: 200 },
};
const WARMUP_REQUESTS = 200;
const REQUESTS = 800;

/** The result of a load, and the error quantiles of its measurements. */
export interface ReferenceComparison {
  readonly result: LoadResult;
  readonly figures: readonly object[];
}

/**
 * Runs a load on the simulator. Compares the client's times of each request with the times that the simulator
 * recorded (the truth). If packets can be captured, also compares both with the times of the packets.
 */
export async function compareWithSimulator(url: string, phase: PhaseOptions): Promise<ReferenceComparison> {
  const port = Number(new URL(url).port);
  const [result, capture] = await capturePackets(port, () => loadSimulator(url, phase));
  const findTruth = await fetchTruth(url);
  const records = getProfilingRecords(result);
  const figures = compareTimes(
    'client',
    'truth',
    // The truth does not include the time to connect, so client times start when the request is sent.
    records.map(record => [
      computeClientTimes(record, record.trace.sendStartNs!),
      computeTruthTimes(findTruth(record)),
    ]),
  );
  if (!capture) return { result, figures };
  const wallOffsetNs = measureWallOffsetNs();
  const exchanges = readExchanges(capture, port);
  const exchangePairs = records.map(record => [record, findExchange(record, exchanges)] as const);
  figures.push(
    ...compareTimes(
      'client',
      'wire',
      exchangePairs.map(([record, wire]) => [
        computeClientTimes(record, record.startNs),
        computeWireTimes(wire, wire.connectNs ?? wire.sentNs),
      ]),
    ),
    ...compareTimes(
      'truth',
      'wire',
      exchangePairs.map(([record, wire]) => [
        computeTruthTimes(findTruth(record)),
        computeWireTimes(wire, wire.requestedNs),
      ]),
    ),
    compareTimestamps(exchangePairs, result.summary.originNs + wallOffsetNs),
  );
  return { result, figures };
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
  exchangePairs: readonly (readonly [RequestRecord, WireExchange])[],
  originNs: bigint,
): object {
  const errorsMs = exchangePairs.flatMap(([{ arrivals }, { tokensNs }]) =>
    tokensNs.map((atNs, index) => (arrivals.timesNs[index]! - Number(atNs - originNs)) / 1e6),
  );
  return {
    metric: 'timestamp of a token',
    measured: 'client',
    reference: 'wire',
    ...computeTimestampFigures(errorsMs),
  };
}
