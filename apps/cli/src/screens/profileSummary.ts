import type { ProfileExport } from '@org/formats';
import { renderFailureFindings, renderSummary } from '@org/reader';
import type { ProfileResult } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { renderClientTable, renderFailures, renderHeadlines, renderTraceTable } from './profileTables.ts';
import { listProfileWarnings } from './profileWarnings.ts';
import { renderReconciliation } from './reconciliation.ts';
import { logLosses, printExports, printFile } from './runSummary.ts';
import { formatBullet, type ScreenStyle } from './screenText.ts';

/** Findings that other sections of the screen show: warnings, failures and the reconciliation. */
const SHOWN_FINDINGS = ['client-server-mismatch', 'client-overload', 'truncated-streams'];

/** Renders the server metrics, with findings that also consider the client's measurements. */
function renderServers(
  servers: Parameters<typeof renderSummary>[0],
  profile: ProfileExport,
  style: ScreenStyle,
): string {
  const findings = { without: SHOWN_FINDINGS };
  return renderSummary(servers, { ...style, context: { profile }, findings, omitsFailures: true });
}

/** Returns the duration of the profiling phase in seconds; undefined without server metrics. */
function getProfilingSeconds(server: ProfileResult['server']): number | undefined {
  const { profiling_start_ns: start, profiling_end_ns: end } = server?.exports.document.summary ?? {};
  return start === undefined || end === undefined ? undefined : Number(end - start) / 1e9;
}

/**
 * Prints the summary of a profile run: failures, client metrics, warnings, reconciliation, server metrics and
 * export files.
 */
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
  const failures = server
    ? renderFailureFindings(server.exports.document, document, style, ['failed-client-requests'])
    : { unavailability: [], others: [] };
  const sections = [
    failures.unavailability,
    renderFailures(document, style),
    failures.others,
    renderHeadlines(document, style, getProfilingSeconds(server)),
    renderClientTable(document, style),
    showTrace ? renderTraceTable(document, style) : [],
    listProfileWarnings(document).flatMap(message => formatBullet(message, style)),
    reconciliation ? renderReconciliation(reconciliation, style) : [],
    server ? renderServers(server.exports.document, document, style).split('\n') : [],
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
