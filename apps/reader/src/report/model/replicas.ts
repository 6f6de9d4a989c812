import { findPartialCoverages, formatPartialCoverage, type Run, readComponents } from '@org/analysis';
import { formatNumber } from '@org/core';
import type { MetricRole } from '@org/servers';
import type { Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { toPointAxis } from './clientCharts.ts';
import type { Replica, ReplicaGroup, ReplicaRow } from './replica.ts';
import { pickReplicaColor } from './replicaColors.ts';
import { type EndpointValues, readRole } from './roleValues.ts';
import { selectDrawn } from './selectReplicas.ts';
import { findMaximum, roundValues } from './values.ts';

/** The multiple of the median above which a replica is marked. */
const HIGH_FACTOR = 1.5;
/** The maximum number of replicas that are named because they were not measured over the whole run. */
const MAX_PARTIAL = 5;
/** The maximum number of points of a small chart. */
const MAX_POINTS = 80;

/** A quantity that is compared between replicas. */
interface Quantity {
  readonly role: MetricRole;
  readonly title: string;
  readonly unit: string;
  /** The minimum difference from the median of a replica that is marked. */
  readonly leastDifference: number;
}

const ROWS: readonly Quantity[] = [
  { role: 'running', title: 'Running requests', unit: '', leastDifference: 1 },
  { role: 'waiting', title: 'Waiting requests', unit: '', leastDifference: 1 },
  { role: 'kvCacheUsage', title: 'KV cache used, %', unit: '%', leastDifference: 5 },
  { role: 'outputTokens', title: 'Generated tokens per second', unit: '/s', leastDifference: 1 },
];

/** Builds the comparison of replicas; empty if no quantity has more than one endpoint. */
export function buildReplicas(run: Run, traces: RunTraces): ReplicaRow[] {
  const components = readComponents(run);
  return ROWS.flatMap(({ role, title, unit, leastDifference }) => {
    const found = readRole(run, traces, role);
    if (!found || found.endpoints.length < 2) return [];
    const highest = findMaximum(found.endpoints.flatMap(({ values }) => values)) ?? 0;
    if (highest === 0) return [];
    const every = Math.ceil(traces.axis.bins / MAX_POINTS);
    const endpoints = found.endpoints.map(({ name, values }) => ({ name, values: thin(values, every) }));
    const roles = [...new Set(endpoints.map(({ name }) => components.get(name) ?? ''))];
    return [
      {
        id: `replicas-${role}`,
        title,
        unit,
        metrics: found.metrics,
        axis: toPointAxis(traces.axis.width * every),
        top: highest,
        groups: roles.map(name =>
          buildGroup(
            name,
            endpoints.filter(endpoint => (components.get(endpoint.name) ?? '') === name),
            { run, traces, every, unit, leastDifference },
          ),
        ),
      },
    ];
  });
}

/** The parts of a row that all of its groups share. */
interface RowSource {
  readonly run: Run;
  readonly traces: RunTraces;
  readonly every: number;
  readonly unit: string;
  readonly leastDifference: number;
}

function buildGroup(role: string, endpoints: readonly EndpointValues[], source: RowSource): ReplicaGroup {
  const { run, traces, every, unit, leastDifference } = source;
  const means = endpoints.map(({ values }) => average(values));
  const middle = findMedian(means);
  const replicas = endpoints.map(
    ({ name, values }, i): Replica => ({
      name,
      color: pickReplicaColor(name, run),
      values: roundValues(values),
      mean: means[i]!,
      isHigh: middle > 0 && means[i]! > HIGH_FACTOR * middle && means[i]! - middle >= leastDifference,
      ...findStop(name, run, traces, every),
    }),
  );
  const { drawn, omitted } = selectDrawn(replicas, middle);
  const spread = endpoints.length < 2 ? [] : [describeSpread(means, middle, unit)];
  return {
    role,
    median: roundValues(listMedians(endpoints)),
    replicas: drawn,
    spread: [...spread, ...omitted, ...describeCoverage(endpoints, run)].join(' '),
  };
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
  const named = partial.slice(0, MAX_PARTIAL).map(formatPartialCoverage).join(', ');
  const more = partial.length > MAX_PARTIAL ? `, and ${partial.length - MAX_PARTIAL} more` : '';
  return [`Not over the whole run: ${named}${more}.`];
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
