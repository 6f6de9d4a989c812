import { basename, dirname, relative } from 'node:path';
import { formatBytes } from '@org/core';
import { renderAggregate, renderSweep } from '@org/reader';
import type { Log } from '@org/run/lifecycle';
import type { RunPlan } from '@org/run/repeat';
import { LEAST_RUNS, type RepeatExports, SWEEP_FOLDER } from '@org/run/repeat';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Io } from '../../io.ts';

/** Prints what several runs say together, and which files have it. */
export function showRepeated(
  { aggregates, sweep, files }: RepeatExports,
  { folder, io, log }: { readonly folder: string; readonly io: Io; readonly log: Log },
): void {
  const out = io.stdout;
  const look = { width: getTerminalWidth(out), color: shouldUseColor(out, io.env) };
  const tables = sweep
    ? [renderSweep(sweep, look)]
    : [...aggregates.values()].map(aggregate => renderAggregate(aggregate, look));
  for (const table of tables) out.write(`\n${table}\n`);
  out.write('\n');
  const shown = relative(io.cwd, folder) || '.';
  for (const file of files) {
    if (!file.ok) log.error(file.message);
    else if (!sweep || basename(dirname(file.path)) === SWEEP_FOLDER)
      out.write(`  ${relative(io.cwd, file.path)}  ${formatBytes(file.bytes)}\n`);
  }
  if (sweep && aggregates.size > 0)
    out.write(`  ${shown}/variation_*/aggregate  ${aggregates.size} aggregates\n`);
  const hint = sweep || aggregates.size > 0 ? `; servelens read report ${shown} draws them` : '';
  out.write(`  ${shown}  all runs${hint}\n`);
}

/** Tells which variations were to be repeated and have no aggregate. */
export function warnOfMissing(
  { isSweep, variations, repetition }: RunPlan,
  aggregates: RepeatExports['aggregates'],
  log: Log,
): void {
  if (repetition.runs < LEAST_RUNS) return;
  for (const { index, label } of variations) {
    if (aggregates.has(index)) continue;
    const of = isSweep ? ` of ${label}` : '';
    log.warning(`no aggregate${of}: an interval needs ${LEAST_RUNS} successful runs`);
  }
}
