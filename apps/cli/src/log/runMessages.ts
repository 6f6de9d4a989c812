import { basename, relative } from 'node:path';
import { formatCount, quoteShellPath } from '@org/core';
import type { SourceStatus } from '@org/gpu';
import type { SettlingRecord } from '@org/record';
import type { JournalKept, RunEvent } from '@org/run';
import type { RecoverEvent, RecoverRepeatedRunsEvent } from '@org/run/recover';
import type { Endpoint, EndpointEvent } from '@org/scrape';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';

/** Endpoint events that are logged as information instead of warnings. */
const HARMLESS_CHANGES: readonly EndpointEvent['kind'][] = [
  'url_changed',
  'duplicate',
  'recovered',
  'added',
  'removed',
  'returned',
  'unsupported_types',
];

/** Formats a folder as a path relative to the working directory. */
export function formatFolder(folder: string, { cwd }: Pick<Io, 'cwd'>): string {
  return relative(cwd, folder) || '.';
}

/** Logs an event of a run. Ignores events that only a progress display needs. */
export function logRunEvent(event: RunEvent, log: Log, io: Pick<Io, 'cwd'>): void {
  switch (event.type) {
    case 'disk_full':
      log.warning(
        `the disk is full, and ${formatCount(event.missedScrapes, 'scrape')} ${event.missedScrapes === 1 ? 'is' : 'are'} in memory only; ` +
          `free some space; retrying the exports for ${event.retrySeconds} s`,
      );
      break;
    case 'earlier_requests_kept':
      log.info(
        `kept the requests of an earlier run (journal ${basename(event.journal)}) as ${basename(event.requests)}`,
      );
      break;
    case 'endpoint_changed':
      if (HARMLESS_CHANGES.includes(event.change.kind)) log.info(event.change.message);
      else log.warning(event.change.message);
      break;
    case 'endpoints_probed':
      logProbe(event.endpoints, log);
      break;
    case 'gpu_sources_opened':
      logGpuSources(event.sources, log);
      break;
    case 'journal_kept':
      log.warning(formatJournalKept(event, formatFolder(event.folder, io)));
      break;
    case 'journal_not_removed':
      log.warning(`cannot remove the journal: ${event.reason}`);
      break;
    case 'mark_recorded':
      log.info(`mark by ${event.mark.sender}: ${event.mark.text}`);
      break;
    case 'marks_unavailable':
      log.warning(`cannot accept marks from other processes: ${event.reason}`);
      break;
    case 'server_prepared':
      if (event.isFailure) log.warning(event.message);
      else log.info(event.message);
      break;
    case 'settled':
      if (event.settling.outcome === 'timed_out') log.warning(formatSettling(event.settling));
      else log.info(formatSettling(event.settling));
      break;
    case 'start_awaited':
      log.info(
        `profiling starts at ${new Date(Number(event.startAtNs / 1_000_000n)).toISOString()} (--start-at)`,
      );
      break;
    case 'started_late':
      log.warning(
        `profiling started ${(event.delayMs / 1000).toFixed(3)} s after --start-at, because the run was not ready in time; set a later time for all shards`,
      );
      break;
    case 'source_failed':
      log.warning(`${event.source}: ${event.message}`);
      break;
    case 'storage_changed':
      logStorageChange(event, log);
      break;
    case 'inputs_limited':
      log.info(
        `inputs.json contains the first ${event.maxConversations} conversations and omits ${event.omitted}`,
      );
      break;
    case 'tokenizer_downloaded':
      log.info(`downloading the tokenizer of ${event.model} from ${event.endpoint}`);
      break;
    case 'timeslices_limited':
      log.warning(
        `client metrics of timeslices end after ${event.maxSlices} timeslices and omit ${formatCount(event.requests, 'request')}; increase --slice-duration`,
      );
      break;
    case 'warmup_incomplete':
      log.warning(
        `the run ended during its warm-up of ${event.warmupSeconds} s; the profiling period is empty`,
      );
  }
}

function logProbe(endpoints: readonly Endpoint[], log: Log): void {
  const reachable = endpoints.filter(({ health }) => health.status === 'active').length;
  const noun = endpoints.length === 1 ? 'endpoint' : 'endpoints';
  log.info(`Server metrics enabled - ${reachable}/${endpoints.length} ${noun} reachable`);
  for (const { health, url } of endpoints) {
    if (health.status !== 'no_data' || !health.lastOutage) continue;
    log.warning(`endpoint '${url}' ${health.lastOutage.message}; retrying during the run`);
  }
}

function logGpuSources(sources: readonly SourceStatus[], log: Log): void {
  for (const { url, gpus, failure } of sources) {
    if (failure === undefined) log.info(`GPU telemetry: ${formatCount(gpus, 'GPU')} at '${url}'`);
    else log.warning(`GPU telemetry: '${url}': ${failure}; retrying during the run`);
  }
}

function formatSettling({
  boundary,
  outcome,
  seconds,
  limit_seconds,
  changing_metrics,
}: SettlingRecord): string {
  const position = boundary === 'start' ? 'before profiling' : 'after profiling';
  if (outcome === 'settled')
    return `${position}: server counters stopped changing after ${seconds.toFixed(1)} s`;
  if (outcome === 'no_endpoints') return `${position}: no active endpoint to wait for`;
  if (outcome === 'interrupted')
    return `${position}: interrupted after ${seconds.toFixed(1)} s of waiting for server counters to stop changing`;
  if (!changing_metrics)
    return `${position}: ${limit_seconds} s was too short to determine whether server counters had stopped changing; increase --settle`;
  return `${position}: server counters were still changing after ${limit_seconds} s: ${changing_metrics.join(', ')}`;
}

function formatJournalKept(
  { hasJournal, isDiskFull, missedScrapes }: Omit<JournalKept, 'type' | 'folder'>,
  folder: string,
): string {
  const instruction = isDiskFull ? 'free some space, then run' : 'run';
  const recovery = `the journal is kept; to write the exports, ${instruction}: servelens recover ${quoteShellPath(folder)}`;
  const loss =
    missedScrapes > 0 ? `${formatCount(missedScrapes, 'scrape')} could not be written and will be lost` : '';
  return [hasJournal ? recovery : 'the run has no journal', loss].filter(Boolean).join('; ');
}

function logStorageChange(
  { state, message }: { readonly state: 'failing' | 'resumed'; readonly message: string },
  log: Log,
): void {
  if (state === 'failing') log.warning(message);
  else log.info(message);
}

/** Logs an event of a recovery. */
export function logRecoverEvent(event: RecoverRepeatedRunsEvent, log: Log, io: Pick<Io, 'cwd'>): void {
  switch (event.type) {
    case 'recovery_ended':
      break;
    case 'recovery_failed':
      log.error(event.message);
      break;
    case 'recovery_started':
      log.info(`recovering ${formatFolder(event.folder, io)}`);
      break;
    case 'runs_active':
      log.warning(
        `the runs in ${formatFolder(event.folder, io)} are still active; exporting their data so far`,
      );
      break;
    default:
      logSingleRecovery(event, log, io);
  }
}

function logSingleRecovery(event: RecoverEvent, log: Log, io: Pick<Io, 'cwd'>): void {
  switch (event.type) {
    case 'server_definition_ignored':
    case 'journal_damaged':
      log.warning(event.message);
      break;
    case 'lines_invalid': {
      const moreLines = event.count > 1 ? `, and ${formatCount(event.count - 1, 'more invalid line')}` : '';
      log.warning(
        `skipped line ${event.firstLine} of ${basename(event.path)}: ${event.firstMessage}${moreLines}`,
      );
      break;
    }
    case 'lines_of_earlier_run':
      log.warning(
        `skipped ${formatCount(event.count, 'line')} of ${basename(event.path)} from an earlier run`,
      );
      break;
    case 'requests_missing':
      log.warning(
        event.isSkipped
          ? `skipped ${basename(event.path)}: not a regular file`
          : `${basename(event.path)} does not exist; no request had ended`,
      );
      break;
    case 'run_active':
      log.warning(`the run in ${formatFolder(event.folder, io)} is still active; exporting its data so far`);
      break;
    case 'scrapes_missing':
      log.warning(`${formatCount(event.count, 'scrape')} could not be written to the journal during the run`);
      break;
    case 'storage_changed':
      logStorageChange(event, log);
  }
}
