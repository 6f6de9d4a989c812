import type { ProfileExport } from '@org/formats';
import { renderProblems, renderSummary } from '@org/reader';
import { getServers } from '@org/record/servers';
import type { FormatConsole, ProfileExports, ProfileResult, ServerMetrics } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { renderEnergy } from './energyLines.ts';
import { renderClientTable, renderFailures, renderHeadlines, renderTraceTable } from './profileTables.ts';
import { listProfileWarnings } from './profileWarnings.ts';
import { renderReconciliation } from './reconciliation.ts';
import { describeRepeatedPrompts } from './repeatedPrompts.ts';
import { logLosses, printExports, printFile } from './runSummary.ts';
import { formatBullet, type ScreenStyle } from './screenText.ts';

/** Findings that other sections of the screen show: warnings, failures and the reconciliation. */
const SHOWN_FINDINGS = [
  'client-server-mismatch',
  'client-overload',
  'truncated-streams',
  'over-saturated-load',
];

/** Renders the server metrics, with findings that also consider the client's measurements. */
function renderServers(
  { record, exports }: ServerMetrics,
  profile: ProfileExport,
  style: ScreenStyle,
): string {
  return renderSummary(exports.document, {
    ...style,
    servers: getServers(record),
    context: { profile },
    findings: { without: SHOWN_FINDINGS },
    omitsProblems: true,
  });
}

/** Returns the duration of the profiling phase in seconds; undefined without server metrics. */
function getProfilingSeconds(server: ProfileResult['server']): number | undefined {
  const { profiling_start_ns: start, profiling_end_ns: end } = server?.exports.document.summary ?? {};
  return start === undefined || end === undefined ? undefined : Number(end - start) / 1e9;
}

/** Options of the summary of a profile run. */
interface ProfileScreenOptions {
  /** True to include HTTP timings. */
  readonly showTrace: boolean;
}

/** The style of the copy of the summary in the artifact folder. */
const FILE_STYLE: ScreenStyle = { width: 120, color: false };

/** Formats the copy of the summary for the artifact folder: without colors and with a fixed width. */
export function formatConsoleFile(
  result: Parameters<FormatConsole>[0],
  options: ProfileScreenOptions,
): string {
  return renderProfile(result, options, FILE_STYLE);
}

/** Renders the results of a profile run: failures and problems, client metrics, warnings, reconciliation and server metrics. */
function renderProfile(
  { document, server, reconciliation }: Parameters<FormatConsole>[0],
  { showTrace }: ProfileScreenOptions,
  style: ScreenStyle,
): string {
  const failures = server
    ? renderProblems(server.exports.document, document, { ...style, servers: getServers(server.record) }, [
        'failed-client-requests',
        ...SHOWN_FINDINGS,
      ])
    : { unavailability: [], others: [] };
  const sections = [
    failures.unavailability,
    renderFailures(document, style),
    failures.others,
    [...renderHeadlines(document, style, getProfilingSeconds(server)), ...renderEnergy(document, style)],
    renderClientTable(document, style),
    showTrace ? renderTraceTable(document, style) : [],
    [...listProfileWarnings(document), ...describeRepeatedPrompts(document, server)].flatMap(message =>
      formatBullet(message, style),
    ),
    reconciliation ? renderReconciliation(reconciliation, style) : [],
    server ? renderServers(server, document, style).split('\n') : [],
  ];
  return sections.map(lines => (lines.length > 0 ? `\n${lines.join('\n')}\n` : '')).join('');
}

/** Prints the summary of a profile run: its results and its export files. */
export function printProfile(
  result: ProfileExports & Pick<ProfileResult, 'server'>,
  options: ProfileScreenOptions,
  io: Io,
  log: Log,
): void {
  const out = io.stdout;
  const { server, files, furtherFiles } = result;
  const style: ScreenStyle = { width: getTerminalWidth(out), color: shouldUseColor(out, io.env) };
  out.write(renderProfile(result, options, style));
  out.write('\n');
  for (const file of files) {
    if (file.ok) printFile(file.path, file.bytes, { out, io });
    else log.error(file.message);
  }
  for (const file of [...furtherFiles, ...(server?.phaseFiles ?? [])]) if (!file.ok) log.error(file.message);
  if (!server) return;
  printExports(server.exports, { out, io, log });
  logLosses(server.record, server.exports, log);
}
