import type { Run } from '@org/analysis';
import { formatValue } from '@org/core';
import type { MetricRole } from '@org/servers';
import type { BandLayer, Layer, LineLayer, TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { ClientRequests, Latency } from '../timeline/clientRequests.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { listClientPercentiles, toPointAxis } from './clientCharts.ts';
import { type CombinedBuckets, combineBuckets, computeBucketPercentile } from './percentiles.ts';
import { type RoleHistograms, readCountRate, readRole, readRoleHistograms } from './roleValues.ts';
import { areAllZero, findMaximum, roundDigits, roundSeconds, roundValues } from './values.ts';

/** The usage of a KV cache, in percent, above which new requests have to wait. */
const FULL_KV_CACHE = 90;

/** Builds the charts of what the servers did. */
export function buildServerCharts(
  run: Run,
  traces: RunTraces,
  requests: ClientRequests | undefined,
): TimeChart[] {
  return [
    ...buildQueueChart(run, traces),
    ...buildKvCacheChart(run, traces),
    ...buildTokenChart(run, traces),
    ...SERVER_LATENCIES.flatMap(latency => buildHistogramChart(latency, run, traces, requests)),
  ];
}

function buildQueueChart(run: Run, traces: RunTraces): TimeChart[] {
  const running = readRole(run, traces, 'running');
  const waiting = readRole(run, traces, 'waiting');
  if (!running && !waiting) return [];
  const limit = findMaximum(readRole(run, traces, 'maxRunning')?.values ?? []);
  return [
    {
      id: 'server-queue',
      side: 'server',
      title: 'Requests in the server',
      unit: '',
      metrics: [...(running?.metrics ?? []), ...(waiting?.metrics ?? [])],
      help: 'Waiting requests, stacked on running ones. If requests wait, the server is saturated.',
      axis: toPointAxis(traces.axis.width),
      layers: [
        ...(running
          ? [{ form: 'area', name: 'running', color: 'server', values: roundValues(running.values) } as const]
          : []),
        ...(waiting && !areAllZero(waiting.values)
          ? [
              {
                form: 'area',
                name: 'waiting',
                color: 'waiting',
                values: roundValues(waiting.values),
              } as const,
            ]
          : []),
      ],
      ...(limit !== undefined && { limits: [{ value: limit, name: `at most ${roundDigits(limit)} run` }] }),
    },
  ];
}

function buildKvCacheChart(run: Run, traces: RunTraces): TimeChart[] {
  const usage = readRole(run, traces, 'kvCacheUsage');
  if (!usage) return [];
  const preemptions = readRole(run, traces, 'preemptions');
  const times = (preemptions?.values ?? []).flatMap((rate, i) =>
    rate !== null && rate > 0 ? roundSeconds((i + 0.5) * traces.axis.width) : [],
  );
  const tick = formatValue(Number(traces.axis.width.toPrecision(2)), 'seconds');
  return [
    {
      id: 'server-kv-cache',
      side: 'server',
      title: 'KV cache used, %',
      unit: '%',
      metrics: [...usage.metrics, ...(preemptions?.metrics ?? [])],
      help: 'Of the fullest server. A full cache makes requests wait, or preempts running ones, which are then computed again.',
      axis: toPointAxis(traces.axis.width),
      layers: [
        { form: 'line', name: 'used', color: 'server', values: roundValues(usage.values) },
        ...(times.length > 0
          ? [
              {
                form: 'events',
                name: `preemptions (a tick: 1 or more in ${tick})`,
                color: 'failed',
                times,
              } as const,
            ]
          : []),
      ],
      limits: [{ value: FULL_KV_CACHE, name: 'nearly full' }],
      max: 100,
    },
  ];
}

function buildTokenChart(run: Run, traces: RunTraces): TimeChart[] {
  const prompt = readCountRate(run, traces, ({ reconciliation }) => reconciliation.promptTokens);
  const output = readRole(run, traces, 'outputTokens');
  const cached = readCountRate(run, traces, ({ promptTokenCache }) =>
    promptTokenCache ? [promptTokenCache.hits] : [],
  );
  if (!prompt && !output) return [];
  const hasCached = prompt && cached && !areAllZero(cached.values);
  const computed = prompt?.values.map((value, i) =>
    value === null ? null : hasCached ? Math.max(0, value - (cached.values[i] ?? 0)) : value,
  );
  return [
    {
      id: 'server-tokens',
      side: 'server',
      title: 'Tokens per second',
      unit: '/s',
      metrics: [...(output?.metrics ?? []), ...(prompt?.metrics ?? []), ...(hasCached ? cached.metrics : [])],
      help: 'Tokens that the servers generated and read. Prompt tokens from the prefix cache cost almost no time.',
      axis: toPointAxis(traces.axis.width),
      layers: [
        ...(output ? [toArea('generated', 'server', output.values)] : []),
        ...(computed ? [toArea('prompt', 'third', computed)] : []),
        ...(hasCached ? [toArea('prompt, from cache', 'second', cached.values)] : []),
      ],
    },
  ];
}

function toArea(name: string, color: 'server' | 'second' | 'third', values: Values): Layer {
  return { form: 'area', name, color, values: roundValues(values) };
}

/** A latency that servers measure, with the client's measurement of the same time. */
interface ServerLatency {
  readonly role: MetricRole;
  readonly client: Latency;
  readonly id: string;
  readonly title: string;
  readonly help: string;
}

/** The latencies that servers measure. */
export const SERVER_LATENCIES: readonly ServerLatency[] = [
  {
    role: 'timeToFirstToken',
    client: 'firstToken',
    id: 'server-ttft',
    title: 'Time to first token, in the server',
    help: 'The gap to the client is time in the network, in proxies and in the client.',
  },
  {
    role: 'interTokenLatency',
    client: 'interToken',
    id: 'server-itl',
    title: 'Time between tokens, in the server',
    help: 'Each gap between two tokens counts once; the client computes a mean for each request.',
  },
  {
    role: 'requestLatency',
    client: 'latency',
    id: 'server-latency',
    title: 'Latency of requests, in the server',
    help: 'The gap to the client is time in the network, in proxies and in the client.',
  },
];

/** Builds the chart of a histogram of the servers. Its percentiles are certain only between the bounds of buckets. */
function buildHistogramChart(
  { role, client, id, title, help }: ServerLatency,
  run: Run,
  traces: RunTraces,
  requests: ClientRequests | undefined,
): TimeChart[] {
  const histograms = readRoleHistograms(run, traces, role);
  const buckets = histograms && combineBuckets(histograms.slices.map(({ slices }) => slices));
  if (!histograms || !buckets) return [];
  const clientValues = requests && listClientPercentiles(requests, client).p50;
  return [
    {
      id,
      side: 'server',
      title: `${title}, ms`,
      unit: 'ms',
      metrics: histograms.metrics,
      help: `${help} Shaded areas are the bounds of the buckets that certainly contain the percentile.`,
      axis: toPointAxis(traces.sliceAxis.width),
      layers: [
        ...buildPercentileLayers(buckets, histograms, 50),
        ...buildPercentileLayers(buckets, histograms, 99),
        ...(clientValues?.some(value => value !== null)
          ? [
              {
                form: 'line',
                name: 'client p50',
                color: 'client',
                values: clientValues,
                isThin: true,
              } as const,
            ]
          : []),
      ],
    },
  ];
}

function buildPercentileLayers(
  buckets: CombinedBuckets,
  { unitMs }: RoleHistograms,
  percent: number,
): Layer[] {
  const bins = buckets.counts[0]!.length;
  const found = Array.from({ length: bins }, (_, bin) => computeBucketPercentile(buckets, bin, percent));
  const convert = (value: number | null | undefined): number | null =>
    value == null ? null : value * unitMs;
  const band: BandLayer = {
    form: 'band',
    name: `p${percent}`,
    color: percent === 50 ? 'server' : 'waiting',
    low: roundValues(found.map(each => convert(each?.low))),
    high: roundValues(found.map(each => convert(each?.high))),
  };
  const line: LineLayer = {
    form: 'line',
    name: `p${percent} estimate`,
    color: percent === 50 ? 'server' : 'waiting',
    values: roundValues(found.map(each => convert(each?.estimate))),
    ...(percent !== 50 && { isDashed: true }),
  };
  return [band, line];
}
