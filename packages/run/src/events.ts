import type { SourceStatus } from '@org/gpu';
import type { LoadRun, ProfileMetrics } from '@org/loadgen';
import type { MarkRecord, SettlingRecord } from '@org/record';
import type { Endpoint, EndpointEvent } from '@org/scrape';
import type { ExportProgress } from './export/exportProgress.ts';

/** The stage of a run. */
export type Phase = 'warm-up' | 'settling' | 'profiling' | 'after profiling' | 'flush';

/** The load of a profile run while it is active. Its members are live: they change during the run. */
export interface ActiveLoad {
  readonly load: LoadRun;
  readonly endpoints: readonly Endpoint[];
  /** The metrics of the profiling phase. */
  readonly metrics: ProfileMetrics;
  /** The metrics of the warm-up; absent if the run has none. */
  readonly warmupMetrics?: ProfileMetrics;
}

/** An event of a run. */
export type RunEvent =
  /** The disk is full, and some scrapes exist only in memory. Failed exports are retried for `retrySeconds`. */
  | { readonly type: 'disk_full'; readonly missedScrapes: number; readonly retrySeconds: number }
  /**
   * The requests file of an earlier run in the same folder was renamed to `requests`. `journal` is the
   * journal of the earlier run.
   */
  | { readonly type: 'earlier_requests_kept'; readonly journal: string; readonly requests: string }
  /** An endpoint failed, recovered or changed in another way. */
  | { readonly type: 'endpoint_changed'; readonly change: EndpointEvent }
  /** Every endpoint has been scraped once, successfully or not. */
  | { readonly type: 'endpoints_probed'; readonly endpoints: readonly Endpoint[] }
  | ExportProgressed
  /** An export is missing, so the journal was kept to recover it. */
  | JournalKept
  | { readonly type: 'journal_not_removed'; readonly reason: string }
  /** The sources of GPU telemetry that were found or named have been read once. */
  | { readonly type: 'gpu_sources_opened'; readonly sources: readonly SourceStatus[] }
  /** The run has an ID, which its exports contain. */
  | { readonly type: 'run_created'; readonly benchmarkId: string }
  | { readonly type: 'load_started'; readonly active: ActiveLoad }
  | { readonly type: 'load_ended' }
  | { readonly type: 'mark_recorded'; readonly mark: MarkRecord }
  /** The run cannot receive marks from other processes. */
  | { readonly type: 'marks_unavailable'; readonly reason: string }
  | { readonly type: 'phase_changed'; readonly phase: Phase }
  /** The run is ready, and waits for its planned start, in nanoseconds since 1970. */
  | { readonly type: 'start_awaited'; readonly startAtNs: bigint }
  /** Profiling started after its planned start, because the run was not ready in time. */
  | { readonly type: 'started_late'; readonly delayMs: number }
  /** The wait for server counters to stop changing has ended. */
  | { readonly type: 'settled'; readonly settling: SettlingRecord }
  /** Servers are being prepared for the run, or could not be restored after it. `message` is a sentence. */
  | { readonly type: 'server_prepared'; readonly isFailure: boolean; readonly message: string }
  /** The list of endpoints of a source could not be read. Its last list stays valid. */
  | { readonly type: 'source_failed'; readonly source: string; readonly message: string }
  | StorageChanged
  /** Requests are missing in the timeslices, because the run has too many of them. */
  | { readonly type: 'timeslices_limited'; readonly requests: number; readonly maxSlices: number }
  /** The tokenizer of a model is downloaded from a hub, because it is not on this machine. */
  | { readonly type: 'tokenizer_downloaded'; readonly model: string; readonly endpoint: string }
  /** inputs.json lacks conversations, because the run has too many of them. */
  | { readonly type: 'inputs_limited'; readonly omitted: number; readonly maxConversations: number }
  /** The run ended before its warm-up did; the profiling period is empty. */
  | { readonly type: 'warmup_incomplete'; readonly warmupSeconds: number };

/** An export of the server metrics has started or progressed. Emitted several times per second. */
export interface ExportProgressed {
  readonly type: 'export_progressed';
  readonly progress: ExportProgress;
}

export interface JournalKept {
  readonly type: 'journal_kept';
  readonly folder: string;
  /** False if nothing could be written to the journal. */
  readonly hasJournal: boolean;
  /** True if an export failed because the disk is full. */
  readonly isDiskFull: boolean;
  /** Number of scrapes that could not be written to the journal. */
  readonly missedScrapes: number;
}

/** Writes to the journal or the memory file are failing, or have resumed. `message` is a sentence. */
export interface StorageChanged {
  readonly type: 'storage_changed';
  readonly state: 'failing' | 'resumed';
  readonly message: string;
}

/** Receives the events of a run. It must not throw. */
export type EventSink = (event: RunEvent) => void;

/** An event of a recovery. */
export type RecoverEvent =
  | ExportProgressed
  /** The journal is damaged or incomplete. `message` describes what the damage cost. */
  | { readonly type: 'journal_damaged'; readonly message: string }
  /** Lines of the requests file were skipped because they are invalid. */
  | {
      readonly type: 'lines_invalid';
      readonly path: string;
      readonly count: number;
      /** Line number of the first invalid line, starting at 1. */
      readonly firstLine: number;
      readonly firstMessage: string;
    }
  /** Lines of the requests file were skipped because they belong to an earlier run. */
  | { readonly type: 'lines_of_earlier_run'; readonly path: string; readonly count: number }
  /**
   * The requests file does not exist, because the run was killed before its first request ended; or it was skipped,
   * because it is not a regular file.
   */
  | { readonly type: 'requests_missing'; readonly path: string; readonly isSkipped: boolean }
  /** The run is still active; its exports contain what it has journaled so far. */
  | { readonly type: 'run_active'; readonly folder: string }
  /** Scrapes could not be written to the journal during the run, so the exports lack them. */
  | { readonly type: 'scrapes_missing'; readonly count: number }
  /** A definition of a server that the journal contains is invalid. `message` is a sentence. */
  | { readonly type: 'server_definition_ignored'; readonly message: string }
  | StorageChanged;

/** Receives the events of a recovery. It must not throw. */
export type RecoverEventSink = (event: RecoverEvent) => void;
