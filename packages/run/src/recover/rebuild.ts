import type { ProfileExport, ProfileTimeslices, Reconciliation } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import { type MetricBlock, ProfileMetrics, type RequestMetrics, SliceMetrics } from '@org/loadgen';
import type { ProfileHeader, RecoveredRun } from '@org/record/journal';
import { type RecoveredLoad, readLoad } from '@org/record/journal';
import type { Log } from '../lifecycle/log.ts';
import { profileDocument, timeslicesDocument } from '../profile/document.ts';
import { profileFiles } from '../profile/profileFiles.ts';
import { endedRequest } from '../profile/requestLine.ts';
import type { ServerRun } from '../profile/serverSide.ts';
import { serverSlices } from '../profile/serverSlices.ts';
import { writeProfile } from '../profile/writeProfile.ts';
import { reconcileRun } from '../reconciliation/reconcileRun.ts';
import { type RequestsRead, readRequests } from './requests.ts';

/** A profile run whose exports were made again. */
export interface RebuiltProfile {
  readonly document: ProfileExport;
  readonly timeslices?: ProfileTimeslices;
  readonly reconciliation?: Reconciliation;
  readonly files: readonly WriteResult[];
}

export interface RebuildOptions {
  /** Path of the lines of the requests. */
  readonly requests: string;
  readonly folder: string;
  readonly sliceSeconds?: number;
  readonly csvLayout: 'servelens' | 'aiperf';
  /** The servers' side, as far as it came. */
  readonly server?: ServerRun;
  readonly log: Log;
}

/**
 * Makes the exports of what the client measured out of the lines of its requests and the journal of the run. The lines have
 * what was measured of each request with all digits, so that statistics are those of the run itself, as far as it came.
 */
export async function rebuildProfile(
  run: RecoveredRun,
  profile: ProfileHeader,
  options: RebuildOptions,
): Promise<RebuiltProfile> {
  const { prefix } = run.header.exports;
  const rebuilding = new Rebuilding(run, profile, options);
  await rebuilding.read(options.requests);
  const document = rebuilding.document();
  const timeslices = rebuilding.timeslices();
  const files = profileFiles(options.folder, prefix);
  return {
    document,
    ...(timeslices ? { timeslices } : {}),
    ...(document.reconciliation ? { reconciliation: document.reconciliation } : {}),
    files: await writeProfile(files, document, timeslices, options.csvLayout),
  };
}

/** What is gathered while the lines are read. Times are ns since `#originNs`. */
class Rebuilding {
  readonly #run: RecoveredRun;
  readonly #profile: ProfileHeader;
  readonly #options: RebuildOptions;
  readonly #moments: RecoveredLoad;
  readonly #originNs: bigint;
  readonly #metrics: ProfileMetrics;
  readonly #slices: SliceMetrics | undefined;
  /** The requests that had ended by the last scrape. */
  readonly #scraped: ProfileMetrics;
  #scrapedCancelled = 0;
  #later = 0;
  #lastNs: bigint;
  #read: RequestsRead = { requests: 0, dropped: 0 };

  constructor(run: RecoveredRun, profile: ProfileHeader, options: RebuildOptions) {
    this.#run = run;
    this.#profile = profile;
    this.#options = options;
    this.#moments = readLoad(run.replay.marks);
    this.#originNs = this.#moments.end?.summary.originNs ?? profile.startNs;
    this.#lastNs = run.record.endNs;
    const { streaming, goodput } = profile;
    const measuring = { streaming, ...(goodput ? { goodput } : {}) };
    this.#metrics = new ProfileMetrics(measuring);
    this.#scraped = new ProfileMetrics(measuring);
    const { sliceSeconds } = options;
    this.#slices = sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, measuring);
  }

  async read(path: string): Promise<void> {
    const startNs = this.#relative(this.#run.record.period.startNs);
    // A load that was over was compared as a whole.
    const scrapedNs = this.#moments.end ? Number.POSITIVE_INFINITY : this.#relative(this.#run.record.endNs);
    this.#read = await readRequests(
      path,
      this.#profile.startNs,
      line => {
        const request = endedRequest(line, this.#originNs);
        const measured = (line.metrics ?? {}) as RequestMetrics;
        this.#metrics.add(request, measured);
        this.#slices?.add(request, measured, startNs);
        const end = BigInt(line.metadata.request_end_ns);
        if (end > this.#lastNs) this.#lastNs = end;
        if (request.endNs > scrapedNs) {
          this.#later += 1;
          return;
        }
        this.#scraped.add(request, measured);
        if (line.metadata.was_cancelled) this.#scrapedCancelled += 1;
      },
      this.#options.log,
    );
  }

  document(): ProfileExport {
    const { end } = this.#moments;
    const { header } = this.#run;
    const { runInfo, inputConfig, startNs, tokenizer, workers } = this.#profile;
    return profileDocument({
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
      reconciliation: this.#reconciliation(this.#scraped.blocks()),
      recovered: { requests: this.#read.requests, lines_dropped: this.#read.dropped },
    });
  }

  timeslices(): ProfileTimeslices | undefined {
    if (!this.#slices) return undefined;
    const { end } = this.#moments;
    const endNs = this.#relative(end ? (end.profilingEndNs ?? this.#originNs) : this.#lastNs);
    const { server } = this.#options;
    const slices = this.#slices.slices(
      this.#relative(this.#run.record.period.startNs),
      endNs,
      server && serverSlices(server.exports.document, this.#originNs),
    );
    return slices.length === 0
      ? undefined
      : timeslicesDocument(slices, this.#originNs, this.#profile.inputConfig);
  }

  #reconciliation(blocks: Record<string, MetricBlock>): Reconciliation | undefined {
    const { server } = this.#options;
    const { start, end } = this.#moments;
    if (!server || !start) return undefined;
    return reconcileRun(server.record, server.exports.document, {
      blocks,
      metrics: this.#scraped,
      cancelled: this.#scrapedCancelled,
      warmupCutOff: (end ?? start).warmupCutOff,
      tokenizer: this.#profile.tokenizer,
      runningAtStart: start.running,
      runningAtEnd: end?.running,
      ...(end ? {} : { cut: { later: this.#later } }),
    });
  }

  #relative(ns: bigint): number {
    return Number(ns - this.#originNs);
  }
}
