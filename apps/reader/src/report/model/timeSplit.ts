import {
  computeRequestTime,
  type RequestTime,
  type Run,
  readStageTrends,
  type StageName,
} from '@org/analysis';
import { formatValue } from '@org/core';
import type { ColorName } from '../../svg/palette.ts';
import type { PointAxis, TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { roundSeconds, roundValues } from './values.ts';

/** Where the time of a mean request goes. */
export interface TimeSplit {
  readonly meanMs: number;
  readonly requests: number;
  readonly stages: readonly SplitStage[];
  /** A sentence about the transfers of KV cache, which are a part of a stage. */
  readonly kvTransfer?: string;
  /** Sentences about stages that could not be determined. */
  readonly unknown: readonly string[];
}

export interface SplitStage {
  readonly name: string;
  readonly color: ColorName;
  readonly meanMs: number;
  /** From 0 to 1. */
  readonly share: number;
}

const STAGES: Readonly<Record<StageName, { readonly name: string; readonly color: ColorName }>> = {
  outside: { name: 'outside the server', color: 'grey' },
  preprocess: { name: 'preprocessing', color: 'second' },
  route: { name: 'routing', color: 'failed' },
  transport: { name: 'transport to the engine', color: 'client' },
  frontend: { name: 'rest of the frontend', color: 'fourth' },
  queue: { name: 'queue', color: 'waiting' },
  prefill: { name: 'prefill', color: 'third' },
  first_token: { name: 'queue and prefill', color: 'third' },
  decode: { name: 'decode', color: 'server' },
  server: { name: 'rest of the server', color: 'limit' },
};

/** Builds the split of the time of a mean request; undefined if no server measured whole requests. */
export function buildTimeSplit(time: RequestTime | undefined): TimeSplit | undefined {
  if (!time) return undefined;
  const { meanMs, requests, stages, kvTransfer, unknown } = time;
  return {
    ...(kvTransfer && {
      kvTransfer: `KV transfer, a part of ${STAGES[kvTransfer.within].name}: ${formatValue(Number(kvTransfer.meanMs.toPrecision(3)), 'ms')} per request`,
    }),
    meanMs,
    requests,
    unknown,
    stages: stages.map(({ stage, ...rest }) => ({
      ...STAGES[stage],
      meanMs: rest.meanMs,
      share: Math.max(0, rest.share),
    })),
  };
}

/** Reads where the time of a mean request goes. */
export function readRequestTime(run: Run): RequestTime | undefined {
  return computeRequestTime(run);
}

/** Builds the chart of the stages over time; empty without timeslices. */
export function buildSplitChart(time: RequestTime | undefined, traces: RunTraces): TimeChart[] {
  const trends = time ? readStageTrends(time) : new Map<StageName, Values>();
  const axis = time && findAxis(time, traces, [...trends.values()][0]?.length ?? 0);
  if (!axis) return [];
  return [
    {
      id: 'time-split',
      side: 'server',
      title: 'Where the time of a request goes in the servers, ms',
      unit: 'ms',
      metrics: [],
      help: 'Mean time in each stage, of the requests that ended in a timeslice. A thicker queue means saturation; a thicker decode means larger batches.',
      axis,
      layers: [...trends].map(([stage, values]) => ({
        form: 'area',
        ...STAGES[stage],
        values: roundValues(values.map(value => (value === null ? null : Math.max(0, value)))),
      })),
    },
  ];
}

/** Returns the axis of the trends: from the first to the last timeslice. Undefined with fewer than two. */
function findAxis({ stages }: RequestTime, traces: RunTraces, count: number): PointAxis | undefined {
  const starts = stages.flatMap(({ slices }) => slices.map(({ startNs }) => traces.toSeconds(startNs)));
  if (count < 2) return undefined;
  const [first, last] = [starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))];
  return { from: roundSeconds(first), step: (last - first) / (count - 1) };
}
