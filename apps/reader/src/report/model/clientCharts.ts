import type {
  BandLayer,
  DotLayer,
  Layer,
  Limit,
  LineLayer,
  PointAxis,
  TimeChart,
  Values,
} from '../../svg/timeChartModel.ts';
import type { ClientRequests, Latency } from '../timeline/clientRequests.ts';
import { computePercentile } from './percentiles.ts';
import type { Load } from './runLoad.ts';
import { areAllZero, roundDigits, roundSeconds, roundValues } from './values.ts';

/** The number of slow requests that a chart shows as dots. */
const MAX_DOTS = 60;

/** A latency of the client: its chart and its metric in the export. */
interface LatencyChart {
  readonly latency: Latency;
  readonly id: string;
  readonly title: string;
  readonly metric: string;
  readonly help: string;
}

/** The latencies that the client measures. */
export const CLIENT_LATENCIES: readonly LatencyChart[] = [
  {
    latency: 'firstToken',
    id: 'client-ttft',
    title: 'Time to first token',
    metric: 'time_to_first_token',
    help: 'How long users wait before they see anything: the time of the first token less the time of sending. Higher is worse; it rises when requests wait in the queue of the server.',
  },
  {
    latency: 'interToken',
    id: 'client-itl',
    title: 'Time between tokens',
    metric: 'inter_token_latency',
    help: 'How fast text appears, as the mean of each request: (latency - time to first token) / (output tokens - 1). Higher is worse; it rises with the number of requests in a batch.',
  },
  {
    latency: 'latency',
    id: 'client-latency',
    title: 'Latency of requests',
    metric: 'request_latency',
    help: 'From sending a request to its last token: time to first token + time between tokens x (output tokens - 1). Higher is worse; it also rises with longer outputs.',
  },
];

/** Builds the charts of the load and of the answers, as measured by the load generator. */
export function buildClientCharts(requests: ClientRequests, load: Load): TimeChart[] {
  return [
    buildRequestChart(requests, load),
    ...CLIENT_LATENCIES.flatMap(chart => buildLatencyChart(chart, requests, load)),
  ];
}

function buildRequestChart(requests: ClientRequests, { rate }: Load): TimeChart {
  const hasFailed = !areAllZero(requests.failed);
  return {
    id: 'client-requests',
    side: 'client',
    title: 'Requests per second',
    unit: '/s',
    metrics: [],
    help: 'Requests sent, completed and failed in a point, divided by its time. If fewer requests are completed than sent, requests pile up.',
    axis: toPointAxis(requests.axis.width),
    layers: [
      { form: 'step', name: 'sent', color: 'grey', values: roundValues(requests.sent) },
      { form: 'line', name: 'completed', color: 'client', values: roundValues(requests.completed) },
      ...(hasFailed
        ? [{ form: 'line', name: 'failed', color: 'failed', values: roundValues(requests.failed) } as const]
        : []),
    ],
    ...(rate !== undefined && { limits: [{ value: rate, name: `target ${roundDigits(rate)}/s` }] }),
  };
}

function buildLatencyChart(chart: LatencyChart, requests: ClientRequests, load: Load): TimeChart[] {
  const { latency, id, title, metric, help } = chart;
  const percentiles = listClientPercentiles(requests, latency);
  if (percentiles.p50.every(value => value === null)) return [];
  const limit = load.limits.get(metric);
  const points = requests.listSlowest().flatMap((request, row): DotLayer['points'] => {
    const value = request[latency];
    if (value === undefined) return [];
    const at = latency === 'firstToken' ? request.sent + value / 1e3 : request.end;
    return [[roundSeconds(at), roundDigits(value), row]];
  });
  return [
    {
      id,
      side: 'client',
      title: `${title}, ms`,
      unit: 'ms',
      metrics: [metric],
      help: `${help} Dots are the slowest requests; click one to see it in the table of requests. The grey area is the number of requests in flight, with the axis on the right.`,
      axis: toPointAxis(requests.sliceAxis.width),
      layers: [
        ...toPercentileLayers(percentiles),
        { form: 'dots', name: 'slowest requests', color: 'client', points: points.slice(0, MAX_DOTS) },
      ],
      ...(limit !== undefined && { limits: [toLimit(limit)] }),
      load: {
        name: 'in flight',
        values: roundValues(requests.inFlight),
        axis: toPointAxis(requests.axis.width),
      },
    },
  ];
}

/** Creates the line of a limit of `--goodput`, in ms. */
export function toLimit(ms: number): Limit {
  return { value: ms, name: `limit ${roundDigits(ms)} ms` };
}

/** Percentiles in each slice, in ms. */
export interface PercentileValues {
  readonly p50: Values;
  readonly p90: Values;
  readonly p99: Values;
}

/** Computes the percentiles of a latency in each slice; null in a slice without requests. */
export function listClientPercentiles(requests: ClientRequests, latency: Latency): PercentileValues {
  const slices = requests.listLatencies(latency);
  const list = (percent: number): Values =>
    roundValues(slices.map(values => (values.length === 0 ? null : computePercentile(values, percent))));
  return { p50: list(50), p90: list(90), p99: list(99) };
}

function toPercentileLayers({ p50, p90, p99 }: PercentileValues): Layer[] {
  const band: BandLayer = { form: 'band', name: 'p50 to p90', color: 'client', low: p50, high: p90 };
  const line = (name: string, values: Values, isDashed: boolean): LineLayer => ({
    form: 'line',
    name,
    color: 'client',
    values,
    ...(isDashed && { isDashed: true }),
  });
  return [band, line('p50', p50, false), line('p99', p99, true)];
}

/** Returns the axis of values that start with the time axis. */
export function toPointAxis(step: number): PointAxis {
  return { from: 0, step };
}
