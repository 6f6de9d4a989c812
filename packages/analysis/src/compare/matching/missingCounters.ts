import type { Run } from '../../run/run.ts';
import type { MatchedSeries } from './matchSeries.ts';
import type { SeriesValues } from './rollup.ts';

const NO_EVENTS: SeriesValues = { stats: { total: 0, rate: 0 }, slices: [], seriesCount: 0 };

/**
 * Sets a counter to 0 in runs without it, if the server creates it at its first event: it was created during every run
 * that has it. Otherwise, it is unknown why a run does not have the series. Runs without any metric of the same server
 * are left out.
 */
export function fillMissingCounters(match: MatchedSeries, runs: readonly Run[]): MatchedSeries {
  if (match.type !== 'counter' || !match.values.includes(undefined)) return match;
  const present = match.values.filter(entry => entry !== undefined);
  if (!present.every(wasCreatedInRun)) return match;
  const prefix = /^[a-zA-Z0-9]+[:_]/.exec(match.name)?.[0] ?? match.name;
  const hasServer = ({ families }: Run): boolean =>
    [...families.keys()].some(name => name.startsWith(prefix));
  const values = match.values.map((entry, i) => entry ?? (hasServer(runs[i]!) ? NO_EVENTS : undefined));
  return { ...match, values };
}

function wasCreatedInRun({ stats }: SeriesValues): boolean {
  return (stats as { readonly created_in_run?: unknown }).created_in_run === true;
}
