import { basename, dirname, relative } from 'node:path';
import { formatBytes, quoteShellPath } from '@org/core';
import { renderAggregate, renderSweep } from '@org/reader';
import { formatAggregateFolder, type RunOrder, SWEEP_FOLDER } from '@org/record';
import { MIN_INTERVAL_RUNS, type RepeatExports, type RepeatPlan } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { formatFolder } from '../log/runMessages.ts';

/** Prints the aggregates of repeated runs or a sweep, and the paths of their files. */
export function printAggregates(
  { aggregates, sweep, files }: RepeatExports,
  {
    folder,
    order,
    io,
    log,
  }: { readonly folder: string; readonly order: RunOrder; readonly io: Io; readonly log: Log },
): void {
  const out = io.stdout;
  const style = { width: getTerminalWidth(out), color: shouldUseColor(out, io.env) };
  const tables = sweep
    ? [renderSweep(sweep, style)]
    : [...aggregates.values()].map(aggregate => renderAggregate(aggregate, style));
  for (const table of tables) out.write(`\n${table}\n`);
  out.write('\n');
  const shownFolder = formatFolder(folder, io);
  for (const file of files) {
    if (!file.ok) log.error(file.message);
    else if (!sweep || basename(dirname(file.path)) === SWEEP_FOLDER)
      out.write(`  ${relative(io.cwd, file.path)}  ${formatBytes(file.bytes)}\n`);
  }
  if (sweep && aggregates.size > 0)
    out.write(
      `  ${shownFolder}/${formatAggregateFolder({ variation: '*', order })}  ${aggregates.size} aggregates\n`,
    );
  const hint =
    sweep || aggregates.size > 0
      ? `; to plot them, run: servelens read report ${quoteShellPath(shownFolder)}`
      : '';
  out.write(`  ${shownFolder}  all runs${hint}\n`);
}

/** Logs a warning for each repeated variation that has no confidence intervals. */
export function warnOfMissingIntervals(
  { isSweep, variations, repetition }: RepeatPlan,
  aggregates: RepeatExports['aggregates'],
  log: Log,
): void {
  if (repetition.runs < MIN_INTERVAL_RUNS) return;
  for (const { index, label } of variations) {
    const { num_successful_runs: runs = 0 } = aggregates.get(index)?.metadata ?? {};
    if (runs >= MIN_INTERVAL_RUNS) continue;
    const target = isSweep ? ` for ${label}` : '';
    log.warning(
      `no confidence intervals${target}: ${runs} of at least ${MIN_INTERVAL_RUNS} runs were successful`,
    );
  }
}
