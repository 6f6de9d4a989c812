import type { Run } from '../../run/run.ts';

/** Rates are not comparable if the shares of time under load differ by more than this factor. */
const MAX_SHARE_RATIO = 1.2;

/**
 * The origin of the period of server metrics. `command`: the run time of a command, including its start. `load`: the
 * profiling phase of `servelens profile`. `fixed`: a period that was set, or ended by the user. `other tool`: AIPerf's
 * window, from the start of profiling to the last scrape.
 */
type WindowKind = 'command' | 'load' | 'fixed' | 'other tool';

const DESCRIPTIONS: Readonly<Record<WindowKind, string>> = {
  command: 'the run time of a command',
  load: 'the profiling phase',
  fixed: 'a fixed time',
  'other tool': 'the scrapes of another tool',
};

/**
 * Describes the difference between the periods that the server metrics of both sides cover. Undefined if they are
 * comparable or unknown. Rates of servers differ if one period includes more idle time than the other.
 */
export function describeWindowDifference(base: readonly Run[], others: readonly Run[]): string | undefined {
  const [from, to] = [base, others].map(runs => runs.map(classifyWindow));
  const kinds = [...new Set([...from!, ...to!])];
  if (!kinds.includes(undefined) && kinds.length > 1)
    return `server metrics cover ${describeKinds(from!)} in base and ${describeKinds(to!)} in new`;
  const shares = [...base, ...others].map(computeLoadShare);
  if (shares.includes(undefined)) return undefined;
  const known = shares as number[];
  if (Math.max(...known) <= MAX_SHARE_RATIO * Math.min(...known)) return undefined;
  const percents = known.map(share => `${Math.round(100 * share)}%`);
  const [baseShares, newShares] = [percents.slice(0, base.length), percents.slice(base.length)];
  return `requests were in flight for ${formatDistinct(baseShares)} of the period of the server metrics in base and ${formatDistinct(newShares)} in new`;
}

function classifyWindow({ view, inputConfig, window }: Run): WindowKind | undefined {
  if (!view.summary || window?.kind === 'unknown') return undefined;
  if (window?.kind === 'aiperf') return 'other tool';
  if (inputConfig.command !== undefined) return 'command';
  if (inputConfig.phases !== undefined) return 'load';
  return inputConfig.warmup_duration === undefined ? undefined : 'fixed';
}

function describeKinds(kinds: readonly (WindowKind | undefined)[]): string {
  return [...new Set(kinds)].map(kind => DESCRIPTIONS[kind!]).join(' or ');
}

/** Returns the share of the server metrics' period during which the client had requests in flight. */
function computeLoadShare({ times, families, view }: Run): number | undefined {
  const load = families.get('benchmark_duration')?.series[0]?.stats.avg;
  const seconds = times.profilingSeconds ?? times.seconds;
  if (!view.summary || load === undefined || !seconds) return undefined;
  return Math.min(1, load / seconds);
}

function formatDistinct(values: readonly string[]): string {
  return [...new Set(values)].join(', ');
}
