import { renderSummary } from '@org/reader';
import type { ProfileResult } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { renderClientTable, renderFailures, renderHeadlines, renderTraceTable } from './profileTables.ts';
import { listProfileWarnings } from './profileWarnings.ts';
import { renderReconciliation } from './reconciliation.ts';
import { logLosses, printExports, printFile } from './runSummary.ts';
import { formatBullet, type ScreenStyle } from './screenText.ts';

/** Prints the summary of a profile run: failures, client metrics, warnings, reconciliation, server metrics and export files. */
export function printProfile(
  {
    document,
    server,
    reconciliation,
    files,
  }: Pick<ProfileResult, 'document' | 'server' | 'reconciliation' | 'files'>,
  { showTrace }: { readonly showTrace: boolean },
  io: Io,
  log: Log,
): void {
  const out = io.stdout;
  const style: ScreenStyle = { width: getTerminalWidth(out), color: shouldUseColor(out, io.env) };
  const sections = [
    renderFailures(document, style),
    renderHeadlines(document, style),
    renderClientTable(document, style),
    showTrace ? renderTraceTable(document, style) : [],
    listProfileWarnings(document).flatMap(message => formatBullet(message, style)),
    reconciliation ? renderReconciliation(reconciliation, style) : [],
    server ? renderSummary(server.exports.document, style).split('\n') : [],
  ];
  for (const lines of sections) if (lines.length > 0) out.write(`\n${lines.join('\n')}\n`);
  out.write('\n');
  for (const file of files) {
    if (file.ok) printFile(file.path, file.bytes, { out, io });
    else log.error(file.message);
  }
  if (!server) return;
  printExports(server.exports, { out, io, log });
  logLosses(server.record, server.exports, log);
}
