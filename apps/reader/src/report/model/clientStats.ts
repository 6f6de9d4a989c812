import { CLIENT_ENDPOINT, type Run, type RunSeries, readStat } from '@org/analysis';

/** Returns the series of a client metric; undefined if the run has no profile export, or not this metric. */
export function findClientSeries({ families }: Pick<Run, 'families'>, name: string): RunSeries | undefined {
  const series = families.get(name)?.series[0];
  return series?.endpoint === CLIENT_ENDPOINT ? series : undefined;
}

/** Reads a statistic of a client metric; undefined if the run does not have it. */
export function readClientStat(run: Pick<Run, 'families'>, name: string, stat: string): number | undefined {
  const series = findClientSeries(run, name);
  return series && readStat(series, stat);
}
