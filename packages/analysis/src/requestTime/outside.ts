import { listProfileMetrics } from '@org/formats/read';
import type { Run } from '../run/run.ts';
import { isSameCount } from './counts.ts';
import { isPlausible, type Part } from './part.ts';
import type { StagePercentile, StageTime } from './stageTime.ts';
import { subtractTimes, type TimeSum } from './timeSum.ts';

/** The time of requests outside of the servers, and the percentiles of whole requests at the client. */
interface ClientTime {
  readonly outside: Part;
  readonly p50: StagePercentile | undefined;
  readonly p99: StagePercentile | undefined;
}

/** The client's statistics of the latency of requests, in ms. */
interface ClientLatency {
  readonly count?: number;
  readonly avg?: number;
  readonly p50?: number;
  readonly p99?: number;
}

/** Returns the time outside of the servers; undefined if the client did not measure the same requests. */
export function measureOutside(run: Run, server: StageTime, unknown: string[]): ClientTime | undefined {
  const { count, avg, p50, p99 } = readClientLatency(run);
  if (count === undefined || avg === undefined) return undefined;
  if (!isSameCount(count, server.requests)) {
    unknown.push(
      `outside of the servers: the client completed ${count} requests, the servers ${server.requests}`,
    );
    return undefined;
  }
  // The means of client and servers are compared, not their sums.
  const client = { totalMs: avg * server.requests, slices: readClientSlices(run, server) };
  const time = omitImplausibleSlices(subtractTimes(client, [server]), client);
  if (isPlausible(time, client))
    return { outside: { stage: 'outside', time }, p50: toPercentile(p50), p99: toPercentile(p99) };
  unknown.push('outside of the servers: the servers measured longer requests than the client');
  return undefined;
}

/** Omits the slices whose server time is longer than the client's: they contain different requests. */
function omitImplausibleSlices({ totalMs, slices }: TimeSum, client: TimeSum): TimeSum {
  const plausible = [...slices].filter(([startNs, ms]) =>
    isPlausible({ totalMs: ms, slices }, { totalMs: client.slices.get(startNs)!, slices }),
  );
  return { totalMs, slices: new Map(plausible) };
}

/** The largest relative difference between the requests of client and servers in a timeslice. */
const SLICE_TOLERANCE = 0.02;

/** Returns the client's time by slice, of the slices where client and servers counted as many requests that ended. */
function readClientSlices(
  { endedRequests }: Run,
  { requestsBySlice }: StageTime,
): ReadonlyMap<bigint, number> {
  const comparable = [...requestsBySlice].flatMap(([startNs, requests]) => {
    const ended = endedRequests.get(startNs);
    if (!ended || Math.abs(ended.count - requests) > SLICE_TOLERANCE * requests) return [];
    return [[startNs, ended.avg * requests] as const];
  });
  return new Map(comparable);
}

function readClientLatency(run: Run): ClientLatency {
  const series = run.families.get('request_latency')?.series.find(({ type }) => type === 'client');
  // The screen at the end of a run has the profile export, but no families of the client.
  const exported = run.profile && listProfileMetrics(run.profile).get('request_latency');
  return series?.stats ?? exported ?? {};
}

/** The client knows each request, so its percentiles have no bounds. */
function toPercentile(valueMs: number | undefined): StagePercentile | undefined {
  return valueMs === undefined ? undefined : { valueMs };
}
