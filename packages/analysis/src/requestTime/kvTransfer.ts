import type { ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { isSameCount } from './counts.ts';
import { isPlausible, type Part, type StageName } from './part.ts';
import { readStageTime, type StagePercentile, type StageTime } from './stageTime.ts';

/** The time of KV transfers between engines. It is a part of another stage, and never added to the stages. */
export interface KvTransferTime {
  /** The stage that requests are in during their transfers. */
  readonly within: StageName;
  readonly transfers: number;
  /** Time of all transfers, divided by the number of all requests, in ms. Transfers of one request can run at the same time. */
  readonly meanMs: number;
  /** `meanMs` as a share of the mean of the request. */
  readonly share: number;
  /** Percentiles of single transfers. */
  readonly p50?: StagePercentile;
  readonly p99?: StagePercentile;
}

/** The stages that contain the queue and the prefill if a server does not measure them, the smallest first. */
const LARGER_STAGES: readonly StageName[] = ['first_token', 'server', 'frontend'];

/** Measures the KV transfers of the requests; undefined if there were none, or if no stage can contain them. */
export function measureKvTransfer(
  run: Run,
  definitions: readonly ServerDefinition[],
  parts: readonly Part[],
  request: StageTime,
  unknown: string[],
): KvTransferTime | undefined {
  const metrics = definitions.flatMap(({ stages }) => stages?.transfer ?? []);
  const [used] = metrics.filter(metric => readStageTime(run, [metric]));
  if (!used) return undefined;
  const time = readStageTime(run, [used])!;
  const stage = [used.within, ...LARGER_STAGES]
    .map(name => parts.find(part => part.stage === name))
    .find(part => part !== undefined);
  if (!stage) return undefined;
  const isOnePerRequest = time.requests <= request.requests || isSameCount(time.requests, request.requests);
  const rest = { totalMs: stage.time.totalMs - time.totalMs, slices: new Map() };
  if (isOnePerRequest && !isPlausible(rest, stage.time)) {
    unknown.push('KV transfer: its time is longer than the stage that contains it');
    return undefined;
  }
  const totalMs = parts.reduce((sum, part) => sum + part.time.totalMs, 0);
  return {
    within: stage.stage,
    transfers: time.requests,
    meanMs: time.totalMs / request.requests,
    share: totalMs === 0 ? 0 : time.totalMs / totalMs,
    ...(time.p50 && { p50: time.p50 }),
    ...(time.p99 && { p99: time.p99 }),
  };
}
