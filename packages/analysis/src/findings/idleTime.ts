import { formatDuration, quoteShellPath } from '@org/core';
import type { Run } from '../run/run.ts';
import { type LoadWindow, readLoadWindow } from '../servers/loadWindow.ts';
import { hasOwnLoad } from './loadSource.ts';
import type { Evidence, Thresholds } from './rule.ts';

/**
 * Finds time without requests at the start and the end of a run whose load came from another program, such as the
 * start-up of a wrapped load generator.
 */
export function findIdleTime(run: Run, limits: Thresholds<'seconds' | 'share'>): Evidence[] {
  const { profilingSeconds } = run.times;
  if (profilingSeconds === undefined || hasOwnLoad(run)) return [];
  const { idleStartSeconds, idleEndSeconds } = readLoadWindow(run);
  const idleSeconds = idleStartSeconds + idleEndSeconds;
  const isWholeRun = idleSeconds >= profilingSeconds;
  if (isWholeRun || idleSeconds < Math.max(limits.seconds, limits.share * profilingSeconds)) return [];
  const parts = [
    ...(idleStartSeconds > 0 ? [`the first ${formatSeconds(idleStartSeconds)}`] : []),
    ...(idleEndSeconds > 0 ? [`the last ${formatSeconds(idleEndSeconds)}`] : []),
  ];
  return [
    {
      text: `no requests in ${parts.join(' and ')} of ${formatSeconds(profilingSeconds)}`,
      numbers: { start: idleStartSeconds, end: idleEndSeconds },
      magnitude: idleSeconds,
    },
  ];
}

/** Recommends a command that exports only the loaded time of a run. */
export function recommendLoadedExport(run: Run): string {
  const window = readLoadWindow(run);
  const { parquet, records, journal } = run.files;
  const hasSamples = run.files.aggregated === undefined || (parquet ?? records ?? journal) !== undefined;
  if (!hasSamples)
    return 'Averages and rates include this time. Add parquet to --server-metrics-formats to be able to export a part of the run.';
  const folder = run.name === '' ? 'RUN' : quoteShellPath(run.name);
  const output = run.name === '' ? 'RUN-loaded' : quoteShellPath(`${run.name.replace(/\/+$/, '')}-loaded`);
  return `Averages and rates include this time. To export only the loaded time, run: servelens export ${folder} ${formatRange(window, run)} --output ${output}`;
}

/** Formats the options of the loaded time, rounded outwards to 0.1 s. */
function formatRange({ idleStartSeconds, idleEndSeconds }: LoadWindow, { times }: Run): string {
  const start = Math.floor(10 * idleStartSeconds) / 10;
  const end = Math.ceil(10 * (times.profilingSeconds! - idleEndSeconds)) / 10;
  return [
    ...(idleStartSeconds > 0 ? [`--start ${start}`] : []),
    ...(idleEndSeconds > 0 ? [`--end ${end}`] : []),
  ].join(' ');
}

function formatSeconds(seconds: number): string {
  return formatDuration(Number(seconds.toFixed(1)));
}
