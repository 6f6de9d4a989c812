import { listProfileMetrics } from '@org/formats/read';
import type { ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { isSameCount } from './counts.ts';
import { readServerTimes, type ServerTimes } from './serverTimes.ts';
import type { StagePercentile, StageTime } from './stageTime.ts';
import { subtractTimes, type TimeSum } from './timeSum.ts';

/**
 * A part of the time of a request, in the order in which a request passes them:
 *
 * - `outside`: between client and server: network, proxies, the client itself
 * - `frontend`: in a frontend, but not in an engine: routing, tokenization, transfers between workers
 * - `queue`, `prefill`, `decode`: in the engine; `first_token` is queue and prefill if they cannot be separated
 * - `server`: the rest of the time in the server, which it does not measure
 */
export type StageName = 'outside' | 'frontend' | 'queue' | 'prefill' | 'first_token' | 'decode' | 'server';

/** The mean time of requests in one stage. */
export interface RequestStage {
  readonly stage: StageName;
  /** Mean over all requests, in ms. The means of all stages add up to the mean of the request. */
  readonly meanMs: number;
  /** Share of the mean of the request, from 0 to 1. */
  readonly share: number;
  /** Percentiles of the requests in this stage, which do not add up; absent for stages that are differences. */
  readonly p50?: StagePercentile;
  readonly p99?: StagePercentile;
  /** The mean in each complete slice in which requests ended, in order of time; empty for `outside`. */
  readonly slices: readonly { readonly startNs: bigint; readonly meanMs: number }[];
}

/** Where the time of a mean request goes. */
export interface RequestTime {
  /** Names of the servers that measured requests, frontends first. */
  readonly servers: readonly string[];
  /** Number of requests that the servers completed. */
  readonly requests: number;
  /** Mean time of a request in ms, as measured by the client if a stage is `outside`, otherwise by the servers. */
  readonly meanMs: number;
  readonly stages: readonly RequestStage[];
  /** Parts that could not be determined, and the reasons. */
  readonly unknown: readonly string[];
}

/** A stage with its time, and the histogram that measured it, if it is not a difference. */
interface Part {
  readonly stage: StageName;
  readonly time: TimeSum;
  readonly measured?: StageTime;
}

/**
 * Splits the mean time of a request into stages, from the client's latency and the histograms of frontends and engines.
 * Each stage is either measured or the difference between nested measurements of the same requests. What was not
 * measured for the same requests is part of a larger stage, and `unknown` says why. Returns undefined if no server
 * measured whole requests.
 *
 * If several engines process each request (prefill and decode workers), their times are added up per request.
 */
export function computeRequestTime(run: Run): RequestTime | undefined {
  const unknown: string[] = [];
  const definitions = run.servers.recognize(run.families.keys());
  const frontends = readServerTimes(run, definitions.filter(isFrontend), unknown);
  const engines = readServerTimes(
    run,
    definitions.filter(definition => !isFrontend(definition)),
    unknown,
  );
  const outer = frontends ?? engines;
  if (!outer) return undefined;
  const inner = frontends && engines && splitFrontend(run, definitions, frontends, engines, unknown);
  const parts = [...findOutside(run, outer.request, unknown), ...(inner ?? splitServer(outer, unknown))];
  return {
    servers: [...(frontends?.servers ?? []), ...((inner ?? !frontends) ? (engines?.servers ?? []) : [])],
    ...toMeans(parts, outer.request),
    unknown,
  };
}

function isFrontend({ isFrontend = false }: ServerDefinition): boolean {
  return isFrontend;
}

/** Returns the time outside of the servers; empty if the client did not measure the same requests. */
function findOutside(run: Run, server: StageTime, unknown: string[]): Part[] {
  const series = run.families.get('request_latency')?.series.find(({ type }) => type === 'client');
  // The screen at the end of a run has the profile export, but no families of the client.
  const exported = run.profile && listProfileMetrics(run.profile).get('request_latency');
  const { count, avg }: { readonly count?: number; readonly avg?: number } = series?.stats ?? exported ?? {};
  if (count === undefined || avg === undefined) return [];
  if (!isSameCount(count, server.requests)) {
    unknown.push(
      `outside of the servers: the client completed ${count} requests, the servers ${server.requests}`,
    );
    return [];
  }
  // The means of client and servers are compared, not their sums. The client's slices are left out: they contain the
  // requests that started in them, those of servers the requests that ended.
  const client = { totalMs: avg * server.requests, slices: new Map<bigint, number>() };
  const time = subtractTimes(client, [server]);
  if (isPlausible(time, client)) return [{ stage: 'outside', time }];
  unknown.push('outside of the servers: the servers measured longer requests than the client');
  return [];
}

/** Splits the time of a frontend; undefined if its engines did not process the same requests. */
function splitFrontend(
  run: Run,
  definitions: readonly ServerDefinition[],
  frontends: ServerTimes,
  engines: ServerTimes,
  unknown: string[],
): readonly Part[] | undefined {
  const [outer, inner] = [frontends.request.requests, engines.request.requests];
  const isShared = inner > outer && countComponents(run, definitions) > 1;
  const time = subtractTimes(frontends.request, [engines.request]);
  if ((isSameCount(outer, inner) || isShared) && isPlausible(time, frontends.request))
    return [{ stage: 'frontend', time }, ...splitServer(engines, unknown)];
  unknown.push(
    isSameCount(outer, inner)
      ? `engines: ${engines.servers.join(' and ')} measured longer requests than ${frontends.servers.join(' and ')}`
      : `engines: ${frontends.servers.join(' and ')} completed ${outer} requests, ${engines.servers.join(' and ')} ${inner}`,
  );
  return undefined;
}

/** Counts the kinds of workers, such as prefill and decode, that process each request one after the other. */
function countComponents({ families }: Run, definitions: readonly ServerDefinition[]): number {
  const names = definitions.flatMap(({ component }) =>
    component
      ? (families.get(component.metric)?.series ?? []).map(({ labels }) => labels[component.label])
      : [],
  );
  return new Set(names.filter(name => name !== undefined)).size;
}

/** Splits the time of a server into its queue, prefill, decode and the rest, as far as it measured them. */
function splitServer(times: ServerTimes, unknown: string[]): readonly Part[] {
  const { request } = times;
  const stages = listStages(times);
  const rest: Part = {
    stage: 'server',
    time: subtractTimes(
      request,
      stages.map(({ time }) => time),
    ),
  };
  if (stages.length === 0) return [rest];
  // Differences that end with the request leave no rest, except for rounding errors.
  if (Math.abs(rest.time.totalMs) < 1e-9 * request.totalMs) return stages;
  if (isPlausible(rest.time, request)) return [...stages, rest];
  unknown.push('stages: their sum is longer than the request');
  return [{ stage: 'server', time: request, measured: request }];
}

function listStages({ request, firstToken, queue, prefill, decode }: ServerTimes): Part[] {
  const decodePart: Part[] = decode
    ? [{ stage: 'decode', time: decode, measured: decode }]
    : firstToken
      ? [{ stage: 'decode', time: subtractTimes(request, [firstToken]) }]
      : [];
  const prefillPart: Part[] = prefill
    ? [{ stage: 'prefill', time: prefill, measured: prefill }]
    : firstToken && queue
      ? [{ stage: 'prefill', time: subtractTimes(firstToken, [queue]) }]
      : [];
  if (queue && prefillPart.length > 0)
    return [{ stage: 'queue', time: queue, measured: queue }, ...prefillPart, ...decodePart];
  return firstToken
    ? [{ stage: 'first_token', time: firstToken, measured: firstToken }, ...decodePart]
    : decodePart;
}

/** The largest share by which parts may exceed the whole, because they cover other requests at the edges. */
const TOLERANCE = 0.01;

function isPlausible(rest: TimeSum, whole: TimeSum): boolean {
  return rest.totalMs >= -TOLERANCE * whole.totalMs;
}

function toMeans(
  parts: readonly Part[],
  { requests, requestsBySlice }: StageTime,
): Pick<RequestTime, 'requests' | 'meanMs' | 'stages'> {
  const totalMs = parts.reduce((sum, { time }) => sum + time.totalMs, 0);
  const stages = parts.map(({ stage, time, measured }) => ({
    stage,
    meanMs: time.totalMs / requests,
    share: totalMs === 0 ? 0 : time.totalMs / totalMs,
    ...(measured?.p50 && { p50: measured.p50 }),
    ...(measured?.p99 && { p99: measured.p99 }),
    slices: [...time.slices].flatMap(([startNs, ms]) => {
      const count = requestsBySlice.get(startNs) ?? 0;
      return count === 0 ? [] : { startNs, meanMs: ms / count };
    }),
  }));
  return { requests, meanMs: totalMs / requests, stages };
}
