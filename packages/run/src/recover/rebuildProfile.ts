import type { ProfileExport, ProfileRecord, ProfileTimeslices, Reconciliation } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import { ProfileMetrics, type RequestMetrics, SliceMetrics } from '@org/loadgen';
import { type ProfileHeader, type RecoveredLoad, type RecoveredRun, readLoad } from '@org/record/journal';
import type { ServerMetrics } from '../lifecycle/runLifecycle.ts';
import { createProfileDocument, createTimeslicesDocument } from '../profile/document.ts';
import { profileFiles } from '../profile/profileFiles.ts';
import { toEndedRequest } from '../profile/requestLine.ts';
import { findServerSlices } from '../profile/serverSlices.ts';
import { writeProfile } from '../profile/writeProfile.ts';
import { reconcileRun } from '../reconciliation/reconcileRun.ts';
import type { RecoverEventSink } from './events.ts';
import { type RequestsRead, readRequests } from './readRequests.ts';

/** The client's exports of a recovered profile run. */
export interface RebuiltProfile {
  readonly document: ProfileExport;
  readonly timeslices?: ProfileTimeslices;
  readonly reconciliation?: Reconciliation;
  readonly files: readonly WriteResult[];
}

export interface RebuildOptions {
  /** Path of the requests file. */
  readonly requests: string;
  readonly folder: string;
  readonly sliceSeconds?: number;
  readonly csvLayout: 'servelens' | 'aiperf';
  /** The recovered server metrics; absent if the run scraped nothing. */
  readonly server?: ServerMetrics;
  readonly emit: RecoverEventSink;
}

/**
 * Writes the client's exports of a run from its requests file and its journal. The lines of the requests contain all digits of
 * the measurements, so the statistics equal the statistics of the run itself.
 */
export async function rebuildProfile(
  run: RecoveredRun,
  header: ProfileHeader,
  options: RebuildOptions,
): Promise<RebuiltProfile> {
  const rebuild = new ProfileRebuild(run, header, options);
  await rebuild.read(options.requests);
  const document = rebuild.createDocument();
  const timeslices = rebuild.createTimeslices();
  const files = profileFiles(options.folder, run.header.exports.prefix);
  return {
    document,
    ...(timeslices ? { timeslices } : {}),
    ...(document.reconciliation ? { reconciliation: document.reconciliation } : {}),
    files: await writeProfile(files, document, timeslices, options.csvLayout),
  };
}

/** Recomputes the metrics of a run from its requests. Times are nanoseconds since `#originNs`. */
class ProfileRebuild {
  readonly #run: RecoveredRun;
  readonly #header: ProfileHeader;
  readonly #options: RebuildOptions;
  readonly #load: RecoveredLoad;
  readonly #originNs: bigint;
  readonly #metrics: ProfileMetrics;
  readonly #slices: SliceMetrics | undefined;
  /** Requests that ended before the last scrape. */
  readonly #scraped: ProfileMetrics;
  #scrapedCancelled = 0;
  /** Number of requests that ended after the last scrape. */
  #unscraped = 0;
  #lastNs: bigint;
  #read: RequestsRead = { requests: 0, dropped: 0 };

  constructor(run: RecoveredRun, header: ProfileHeader, options: RebuildOptions) {
    this.#run = run;
    this.#header = header;
    this.#options = options;
    this.#load = readLoad(run.replay.marks);
    this.#originNs = this.#load.end?.summary.originNs ?? header.startNs;
    this.#lastNs = run.record.endNs;
    const { streaming, goodput } = header;
    const metricsOptions = { streaming, ...(goodput ? { goodput } : {}) };
    this.#metrics = new ProfileMetrics(metricsOptions);
    this.#scraped = new ProfileMetrics(metricsOptions);
    const { sliceSeconds } = options;
    this.#slices =
      sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, metricsOptions);
  }

  async read(path: string): Promise<void> {
    const startNs = this.#toRelative(this.#run.record.period.startNs);
    // A completed load is reconciled with all of its requests.
    const scrapedNs = this.#load.end ? Number.POSITIVE_INFINITY : this.#toRelative(this.#run.record.endNs);
    this.#read = await readRequests(
      path,
      this.#header.startNs,
      line => this.#add(line, startNs, scrapedNs),
      this.#options.emit,
    );
  }

  #add(line: ProfileRecord, startNs: number, scrapedNs: number): void {
    const request = toEndedRequest(line, this.#originNs);
    const measured = (line.metrics ?? {}) as RequestMetrics;
    this.#metrics.add(request, measured);
    this.#slices?.add(request, measured, startNs);
    const endNs = BigInt(line.metadata.request_end_ns);
    if (endNs > this.#lastNs) this.#lastNs = endNs;
    if (request.endNs > scrapedNs) {
      this.#unscraped += 1;
      return;
    }
    this.#scraped.add(request, measured);
    if (line.metadata.was_cancelled) this.#scrapedCancelled += 1;
  }

  createDocument(): ProfileExport {
    const { end } = this.#load;
    const { header } = this.#run;
    const { runInfo, inputConfig, startNs, tokenizer, workers } = this.#header;
    return createProfileDocument({
      benchmarkId: header.benchmarkId,
      version: header.version,
      startNs,
      endNs: end?.atNs ?? this.#lastNs,
      metrics: this.#metrics,
      blocks: this.#metrics.blocks(),
      originNs: this.#originNs,
      summary: end?.summary,
      tokenizer,
      ...(workers === undefined ? {} : { workers }),
      cancelled: end?.summary.wasCancelled ?? true,
      inputConfig,
      runInfo,
      reconciliation: this.#reconcile(),
      recovered: { requests: this.#read.requests, lines_dropped: this.#read.dropped },
    });
  }

  createTimeslices(): ProfileTimeslices | undefined {
    if (!this.#slices) return undefined;
    const { end } = this.#load;
    const endNs = this.#toRelative(end ? (end.profilingEndNs ?? this.#originNs) : this.#lastNs);
    const { server } = this.#options;
    const slices = this.#slices.slices(
      this.#toRelative(this.#run.record.period.startNs),
      endNs,
      server && findServerSlices(server.exports.document, this.#originNs),
    );
    return slices.length === 0
      ? undefined
      : createTimeslicesDocument(slices, this.#originNs, this.#header.inputConfig);
  }

  #reconcile(): Reconciliation | undefined {
    const { server } = this.#options;
    const { start, end } = this.#load;
    if (!server || !start) return undefined;
    return reconcileRun(server.record, server.exports.document, {
      blocks: this.#scraped.blocks(),
      metrics: this.#scraped,
      cancelled: this.#scrapedCancelled,
      warmupCutOff: (end ?? start).warmupCutOff,
      tokenizer: this.#header.tokenizer,
      runningAtStart: start.running,
      runningAtEnd: end?.running,
      ...(end ? {} : { killed: { unscraped: this.#unscraped } }),
    });
  }

  #toRelative(ns: bigint): number {
    return Number(ns - this.#originNs);
  }
}
