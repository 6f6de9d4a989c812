import type { WorkerRegistration } from '@org/servers';
import { computeElapsedSeconds, formatElapsed } from '../run/availability.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries, RunSlice } from '../run/series.ts';
import type { Evidence } from './rule.ts';

/**
 * Finds workers that a router registered or removed during profiling, from its timeslices. The time of a change is
 * accurate to one slice.
 */
export function findWorkerChanges(run: Run): Evidence[] {
  const registrations = run.servers.servers.flatMap(({ workerRegistration }) => workerRegistration ?? []);
  return registrations.flatMap(registration =>
    (run.families.get(registration.metric)?.series ?? []).flatMap(series => {
      const worker = formatWorker(series, registration);
      return [
        ...describeChange(run, series, `the router registered ${worker}`, findJoin(run, series)),
        ...describeChange(run, series, `the router removed ${worker}`, findLeave(run, series), 1),
      ];
    }),
  );
}

/** Formats the name of a worker, such as `prefill worker 7`. */
function formatWorker({ labels }: RunSeries, { workers, type }: WorkerRegistration): string {
  const name = workers.map(label => labels[label]).find(value => value !== undefined) ?? 'unknown';
  return `${labels[type] === undefined ? '' : `${labels[type]} `}worker ${name}`;
}

/** Returns the start of the first slice in which a worker is registered, if there are earlier slices without it. */
function findJoin({ times }: Run, { slices }: RunSeries): bigint | undefined {
  const first = slices.find(isRegistered);
  const startNs = times.profilingStartNs;
  if (!first || startNs === undefined) return undefined;
  return first.start_ns - startNs >= getLength(first) ? first.start_ns : undefined;
}

/** Returns the end of the last slice in which a worker is registered, if there are later slices without it. */
function findLeave({ times, endpoints }: Run, { slices, endpointUrl }: RunSeries): bigint | undefined {
  const last = slices.findLast(isRegistered);
  const lastFetchNs = endpoints.find(({ url }) => url === endpointUrl)?.info?.last_fetch_ns;
  const endNs = findEarlier(lastFetchNs, times.profilingEndNs);
  if (!last || endNs === undefined) return undefined;
  return endNs - last.end_ns >= getLength(last) ? last.end_ns : undefined;
}

/** Returns the earlier time. Slices end with profiling, but scrapes continue after it. */
function findEarlier(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function isRegistered({ avg }: RunSlice): boolean {
  return avg !== undefined && avg > 0;
}

function getLength({ start_ns, end_ns }: RunSlice): bigint {
  return end_ns - start_ns;
}

function describeChange(
  { times }: Run,
  { endpoint }: RunSeries,
  change: string,
  atNs: bigint | undefined,
  magnitude = 0,
): Evidence[] {
  const seconds = atNs === undefined ? undefined : computeElapsedSeconds(atNs, times);
  if (seconds === undefined) return [];
  return [{ endpoint, text: `${change} ${formatElapsed(seconds)}`, numbers: { seconds }, magnitude }];
}
