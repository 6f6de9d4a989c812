import { isForwarder, type ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { recognizeServers } from '../servers/metricSeries.ts';
import { splitServer } from './engineStages.ts';
import { splitFrontend } from './frontendStages.ts';
import { type KvTransferTime, measureKvTransfer } from './kvTransfer.ts';
import { measureOutside } from './outside.ts';
import type { Part, StageName } from './part.ts';
import { readServerTimes } from './serverTimes.ts';
import { readStageTime, type StagePercentile, type StageTime } from './stageTime.ts';

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
  /**
   * The mean in each complete slice with completed requests, in order of time. Slices of `outside` are missing where client and
   * servers did not count the same number.
   */
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
  /** Percentiles of the whole request, measured where its mean was measured; absent if they were not. */
  readonly p50?: StagePercentile;
  readonly p99?: StagePercentile;
  readonly stages: readonly RequestStage[];
  /** The KV transfers between engines, which are part of a stage; absent if none was measured. */
  readonly kvTransfer?: KvTransferTime;
  /** Parts that could not be determined, and the reasons. */
  readonly unknown: readonly string[];
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
  const definitions = recognizeServers(run);
  const frontends = readServerTimes(run, findOutermost(run, definitions.filter(isForwarder)), unknown);
  const engines = readServerTimes(
    run,
    definitions.filter(({ kind }) => kind === 'engine'),
    unknown,
  );
  const outer = frontends ?? engines;
  if (!outer) return undefined;
  const inner = frontends && engines && splitFrontend(run, definitions, frontends, engines, unknown);
  const client = measureOutside(run, outer.request, unknown);
  const parts = [...(client ? [client.outside] : []), ...(inner ?? splitServer(outer, unknown))];
  const { p50, p99 } = client ?? outer.request;
  const kvTransfer = measureKvTransfer(run, definitions, parts, outer.request, unknown);
  return {
    servers: [...(frontends?.servers ?? []), ...((inner ?? !frontends) ? (engines?.servers ?? []) : [])],
    ...toMeans(parts, outer.request),
    ...(p50 && { p50 }),
    ...(p99 && { p99 }),
    ...(kvTransfer && { kvTransfer }),
    unknown,
  };
}

/** Finds the frontend closest to the client that measured requests. The time in further ones is part of its time. */
function findOutermost(run: Run, frontends: readonly ServerDefinition[]): readonly ServerDefinition[] {
  const outermost = run.servers.frontendsFirst.find(
    definition => frontends.includes(definition) && readStageTime(run, definition.reconciliation.latency),
  );
  return outermost === undefined ? [] : [outermost];
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
