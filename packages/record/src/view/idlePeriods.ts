import type { EndpointStore, Series } from '@org/core';
import {
  isForwarder,
  type MetricRole,
  type ServerCatalog,
  type ServerDefinition,
  servesRequests,
} from '@org/servers';
import type { RunRecord, TimeRange } from '../runRecord.ts';
import { getServers } from '../runServers.ts';

/** The minimum duration of an idle period, in nanoseconds. Shorter periods are gaps between requests. */
const MIN_IDLE_NS = 2_000_000_000n;

/** Roles of gauges without which requests that take long look like idle time. */
const IN_FLIGHT: readonly MetricRole[] = ['running', 'workerRequests'];
/** Roles of gauges that are positive while a server has requests. Frontends hold requests that no engine runs. */
const ENGINE_GAUGES: readonly MetricRole[] = ['running', 'waiting', 'workerRequests'];
const FRONTEND_GAUGES: readonly MetricRole[] = ['waiting', 'workerRequests'];
/** Roles of counters and histograms that change while a server works. */
const PROGRESS: readonly MetricRole[] = ['outputTokens', 'completedRequests', 'requestLatency'];

/**
 * Finds the parts of the period in which the servers processed no requests: gauges were 0, and counters did not change.
 * Requests that only a frontend holds do not count, if its engines are scraped too. Returns undefined if no server of a
 * known kind returned data, or if a server has no gauge of its requests in flight.
 */
export function findIdlePeriods(record: RunRecord): TimeRange[] | undefined {
  const { endpoints, period } = record;
  const servers = getServers(record);
  const stores = endpoints.map(({ store }) => store).filter(({ frameCount }) => frameCount > 0);
  const hasEngines = stores.some(store => recognize(store, servers).some(({ kind }) => kind === 'engine'));
  const active = stores
    .map(store => findActivity(store, servers, hasEngines))
    .filter(found => found !== undefined);
  if (active.length === 0 || active.some(({ hasGauge }) => !hasGauge)) return undefined;
  const startNs = maxNs(period.startNs, active.map(({ observed }) => observed.startNs).reduce(minNs));
  const endNs = minNs(period.endNs, active.map(({ observed }) => observed.endNs).reduce(maxNs));
  const ranges = active.flatMap(({ ranges }) => ranges);
  return findGaps(ranges, { startNs, endNs }).filter(({ startNs, endNs }) => endNs - startNs >= MIN_IDLE_NS);
}

/** The times at which an endpoint was observed and had requests. */
interface Activity {
  readonly observed: TimeRange;
  readonly ranges: readonly TimeRange[];
  /** True if a gauge shows the requests in flight, or if the engines of a frontend show them. */
  readonly hasGauge: boolean;
}

function recognize({ layout }: EndpointStore, servers: ServerCatalog): ServerDefinition[] {
  const first = new Map(layout.series.map(series => [series.family.name, series]));
  const readLabels = (name: string): string[] => first.get(name)!.labels.map(([label]) => label);
  return servers.recognize(first.keys(), readLabels).filter(servesRequests);
}

/** Finds the times at which an endpoint had requests. Returns undefined if it has no metrics of requests. */
function findActivity(
  store: EndpointStore,
  servers: ServerCatalog,
  hasEngines: boolean,
): Activity | undefined {
  const isActive = new Uint8Array(store.frameCount);
  let isKnown = false;
  let hasGauge = false;
  for (const definition of recognize(store, servers)) {
    const forwards = isForwarder(definition) && hasEngines;
    const select = (roles: readonly MetricRole[]): Set<Series> =>
      selectSeries(store.layout.series, definition, roles, servers);
    const gauges = select(forwards ? FRONTEND_GAUGES : ENGINE_GAUGES);
    const inFlight = select(IN_FLIGHT);
    for (const series of new Set([...gauges, ...select(PROGRESS)])) {
      isKnown = true;
      const isGauge = series.family.type === 'gauge';
      hasGauge ||= forwards || (isGauge && inFlight.has(series));
      markActive(readValues(store, series), isGauge && gauges.has(series), isActive);
    }
  }
  if (!isKnown) return undefined;
  return { observed: toObserved(store), ranges: toRanges(store, isActive), hasGauge };
}

/** Selects the series of roles. Of a metric with several names, the first that exists is used, without repeated values. */
function selectSeries(
  all: readonly Series[],
  { roles }: ServerDefinition,
  names: readonly MetricRole[],
  servers: ServerCatalog,
): Set<Series> {
  const selected = names.flatMap(role => {
    const { metrics = [], where } = roles[role] ?? {};
    return metrics.flatMap(metric => {
      const byName = servers.listNames(metric).map(name => all.filter(({ family }) => family.name === name));
      const series = (byName.find(({ length }) => length > 0) ?? []).filter(
        entry => !where || where.values.includes(readSeriesLabels(entry)[where.label] ?? ''),
      );
      return servers.omitRepeats(metric, series, readSeriesLabels);
    });
  });
  return new Set(selected);
}

function readSeriesLabels({ labels }: Series): Readonly<Record<string, string>> {
  return Object.fromEntries(labels);
}

function readValues(store: EndpointStore, series: Series): Float64Array {
  return store.column(series.kind === 'scalar' ? series.value : series.count);
}

/** Marks the frames with a positive gauge, or with a counter that differs from the previous frame. */
function markActive(values: Float64Array, isGauge: boolean, isActive: Uint8Array): void {
  let previous = Number.NaN;
  values.forEach((value, frame) => {
    if (Number.isNaN(value)) return;
    const hasStarted = Number.isNaN(previous) && frame > 0 && value > 0;
    if (isGauge ? value > 0 : hasStarted || (value !== previous && !Number.isNaN(previous)))
      isActive[frame] = 1;
    previous = value;
  });
}

function toObserved(store: EndpointStore): TimeRange {
  const { originNs, offsetsNs } = store.timeline();
  const toNs = (offset: number): bigint => originNs + BigInt(offset);
  return { startNs: toNs(offsetsNs[0]!), endNs: toNs(offsetsNs.at(-1)!) };
}

/** Returns the time from the frame before to the frame after each active frame, in which requests may have been active. */
function toRanges(store: EndpointStore, isActive: Uint8Array): TimeRange[] {
  const { originNs, offsetsNs } = store.timeline();
  const getTimeNs = (frame: number): bigint =>
    originNs + BigInt(offsetsNs[Math.min(Math.max(0, frame), offsetsNs.length - 1)]!);
  const ranges: TimeRange[] = [];
  for (let frame = 0; frame < isActive.length; frame++) {
    if (!isActive[frame]) continue;
    const first = frame;
    while (isActive[frame + 1]) frame++;
    ranges.push({ startNs: getTimeNs(first - 1), endNs: getTimeNs(frame + 1) });
  }
  return ranges;
}

/** Returns the parts of a range that no other range covers. */
function findGaps(ranges: readonly TimeRange[], { startNs, endNs }: TimeRange): TimeRange[] {
  const sorted = [...ranges].sort((a, b) => (a.startNs < b.startNs ? -1 : 1));
  const gaps: TimeRange[] = [];
  let coveredNs = startNs;
  for (const range of sorted) {
    if (range.startNs > coveredNs) gaps.push({ startNs: coveredNs, endNs: minNs(range.startNs, endNs) });
    coveredNs = maxNs(coveredNs, range.endNs);
  }
  if (endNs > coveredNs) gaps.push({ startNs: coveredNs, endNs });
  return gaps.filter(gap => gap.endNs > gap.startNs);
}

function minNs(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function maxNs(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
