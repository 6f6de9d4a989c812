import { findPartialCoverages, formatPartialCoverage, type Run } from '@org/analysis';
import { formatNumber } from '@org/core';
import type { MetricRole } from '@org/servers';
import type { ColorName } from '../../svg/palette.ts';
import type { PointAxis, Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { toPointAxis } from './clientCharts.ts';
import { pickReplicaColor } from './replicaColors.ts';
import { type EndpointValues, readRole } from './roleValues.ts';
import { findMaximum, roundValues } from './values.ts';

/** One quantity of all replicas, drawn as small charts with one value axis. */
export interface ReplicaRow {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly metrics: readonly string[];
  readonly axis: PointAxis;
  /** The top of the value axis of all charts. */
  readonly top: number;
  /** The median of the replicas at each time. */
  readonly median: Values;
  readonly replicas: readonly Replica[];
  /** The spread in words, such as `means from 3 to 9, median 4`. */
  readonly spread: string;
}

export interface Replica {
  readonly name: string;
  readonly color: ColorName;
  readonly values: Values;
  readonly mean: number;
  /** Whether the mean is more than 1.5 times the median of all replicas. */
  readonly isHigh: boolean;
  /** The position at which the replica stopped responding, in points; absent if it did not. */
  readonly stop?: number;
}

/** The multiple of the median above which a replica is marked. */
const HIGH_FACTOR = 1.5;
/** The maximum number of points of a small chart. */
const MAX_POINTS = 80;

/** Quantities that are compared between replicas. */
const ROWS: readonly { readonly role: MetricRole; readonly title: string; readonly unit: string }[] = [
  { role: 'running', title: 'Running requests', unit: '' },
  { role: 'waiting', title: 'Waiting requests', unit: '' },
  { role: 'kvCacheUsage', title: 'KV cache used, %', unit: '%' },
  { role: 'outputTokens', title: 'Generated tokens per second', unit: '/s' },
];

/** Builds the comparison of replicas; empty if no quantity has more than one endpoint. */
export function buildReplicas(run: Run, traces: RunTraces): ReplicaRow[] {
  return ROWS.flatMap(({ role, title, unit }) => {
    const found = readRole(run, traces, role);
    if (!found || found.endpoints.length < 2) return [];
    const highest = findMaximum(found.endpoints.flatMap(({ values }) => values)) ?? 0;
    if (highest === 0) return [];
    const every = Math.ceil(traces.axis.bins / MAX_POINTS);
    const endpoints = found.endpoints.map(({ name, values }) => ({ name, values: thin(values, every) }));
    const means = endpoints.map(({ values }) => average(values));
    const middle = findMedian(means);
    return [
      {
        id: `replicas-${role}`,
        title,
        unit,
        metrics: found.metrics,
        axis: toPointAxis(traces.axis.width * every),
        top: highest,
        median: roundValues(listMedians(endpoints)),
        replicas: endpoints.map(({ name, values }, i) => ({
          name,
          color: pickReplicaColor(name, run),
          values: roundValues(values),
          mean: means[i]!,
          isHigh: middle > 0 && means[i]! > HIGH_FACTOR * middle,
          ...findStop(name, run, traces, every),
        })),
        spread: [describeSpread(means, middle, unit), ...describeCoverage(endpoints, run)].join(' '),
      },
    ];
  });
}

/** Finds where a replica stopped responding and did not recover. */
function findStop(name: string, { endpoints }: Run, traces: RunTraces, every: number): Pick<Replica, 'stop'> {
  const death = endpoints.find(endpoint => endpoint.name === name)?.availability.death;
  if (!death) return {};
  const width = traces.axis.width * every;
  return { stop: Math.max(0, traces.toSeconds(death.lastSuccessNs) / width - 0.5) };
}

/** Names the replicas whose means are not those of the whole run. */
function describeCoverage(endpoints: readonly EndpointValues[], run: Run): string[] {
  const names = new Set(endpoints.map(({ name }) => name));
  const partial = [...findPartialCoverages(run).values()].filter(({ endpoint }) => names.has(endpoint));
  if (partial.length === 0) return [];
  return [`Not over the whole run: ${partial.map(formatPartialCoverage).join(', ')}.`];
}

/** Replaces each group of `every` values by their mean. */
function thin(values: Values, every: number): Values {
  return Array.from({ length: Math.ceil(values.length / every) }, (_, i) => {
    const known = values.slice(i * every, (i + 1) * every).filter(value => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

function listMedians(endpoints: readonly EndpointValues[]): Values {
  return endpoints[0]!.values.map((_, i) => {
    const known = endpoints.flatMap(({ values }) => values[i] ?? []);
    return known.length === 0 ? null : findMedian(known);
  });
}

function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function average(values: Values): number {
  const known = values.filter(value => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function describeSpread(means: readonly number[], median: number, unit: string): string {
  const [low, high] = [means.reduce((a, b) => Math.min(a, b)), means.reduce((a, b) => Math.max(a, b))];
  const format = (value: number): string => formatNumber(Number(value.toPrecision(3)));
  return `Means from ${format(low)} to ${format(high)}${unit}, median ${format(median)}${unit}.`;
}
