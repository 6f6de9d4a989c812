import { relative } from 'node:path';
import { formatBytes } from '@org/core';
import { renderSummary } from '@org/reader';
import type { RunRecord } from '@org/record';
import type { RunExports } from '@org/run/export';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import { costLine } from './costline.ts';
import type { Io } from './io.ts';
import type { Log } from './log.ts';

export interface ReportOptions {
  /** Where the summary goes. */
  readonly out: Io['stdout'];
  readonly io: Io;
  readonly log: Log;
}

/** Prints what a run was like, which files say more, and what was lost and why. */
export function reportRun(record: RunRecord, exports: RunExports, { out, io, log }: ReportOptions): void {
  const color = shouldUseColor(out, io.env);
  out.write(`\n${renderSummary(exports.document, { width: getTerminalWidth(out), color })}\n\n`);
  const cost = costLine(record);
  if (cost !== undefined) out.write(`${wrapText(cost, getTerminalWidth(out), '  ').join('\n')}\n`);
  for (const { format, path, bytes: size, failure } of exports.results) {
    if (failure === undefined) out.write(`  ${relative(io.cwd, path)}  ${formatBytes(size!)}\n`);
    else log.error(`no ${format} export: ${failure}`);
  }
  reportLosses(record, exports, log);
}

/** Says what of the servers' metrics is not in the exports, or is not as it was asked for, and why. */
export function reportLosses(record: RunRecord, exports: RunExports, log: Log): void {
  for (const loss of losses(record, exports)) log.warning(loss);
  const { skippedSummaries } = exports;
  if (skippedSummaries.length > 0)
    log.info(`summaries are not exported, --json-layout legacy has them: ${skippedSummaries.join(', ')}`);
}

function losses(
  record: RunRecord,
  { excludedLabels, shortenedNames, slicedByInterval }: RunExports,
): string[] {
  const found: string[] = [];
  if (shortenedNames.length > 0) {
    found.push(
      `names too long for the folders of the dataset, only its metadata has them whole: ${shortenedNames.join(', ')}`,
    );
  }
  if (excludedLabels.length > 0) {
    found.push(`labels without a column in Parquet, their names are taken: ${excludedLabels.join(', ')}`);
  }
  if (slicedByInterval.length > 0) {
    const where = slicedByInterval.join(', ');
    found.push(
      `--slice-duration is shorter than the update interval of ${where}: there each sample interval is a slice`,
    );
  }
  const unsupported = new Set(record.endpoints.flatMap(({ health }) => health.unsupported));
  if (unsupported.size > 0)
    found.push(`not exported, no statistics for their type: ${[...unsupported].join(', ')}`);
  return found;
}
