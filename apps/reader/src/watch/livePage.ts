import type { Finding, FindingOptions, Run } from '@org/analysis';
import { PacedResult } from '@org/core';
import { buildReport } from '../report/buildReport.ts';
import type { ReportDocument } from '../report/document.ts';
import { renderPage } from '../report/page.ts';
import { FollowedTraces, type RunningData } from '../report/timeline/followedTraces.ts';
import type { LiveStatus, LiveUpdate } from './liveUpdate.ts';
import { PageParts } from './pageParts.ts';
import { renderLivePage } from './renderLivePage.ts';
import { UpdatePace } from './updatePace.ts';
import { measureWork } from './work.ts';

/** The maximum share of the time that the search for findings may take. */
const MAX_FINDINGS_SHARE = 0.03;
/** An active run at one moment. */
export interface WatchedRun {
  readonly run: Run;
  readonly state: 'starting' | 'warmup' | 'profiling' | 'exporting' | 'silent' | 'ended';
  /** The time of the last write of the run, in milliseconds since 1970. */
  readonly writtenMs: number;
  /** The time of the oldest statistics of servers, in milliseconds since 1970. */
  readonly statisticsMs?: number;
  readonly listSamples?: RunningData['listSamples'];
  readonly requests?: NonNullable<RunningData['requests']>;
}

/** Reads the run at this moment; undefined if it has not started. */
export type RunFeed = () => Promise<WatchedRun | undefined>;

/** The sentences that describe the state of a run. */
const TEXTS: Readonly<Record<WatchedRun['state'], string>> = {
  starting: 'The run is starting. No server was scraped and no request has ended yet.',
  warmup: 'Warm-up. The figures cover the warm-up, and start again with profiling.',
  profiling: 'Profiling. The figures cover the time so far.',
  exporting: 'The load has ended. The exports are being written.',
  silent: 'The process of this run no longer exists, and the exports were not written.',
  ended: 'The run has ended. This is its final state.',
};

/** Timeslices are computed when the run has ended. */
const WHILE_RUNNING: FindingOptions = { without: ['run-without-timeslices'] };

/** A warm-up is not what a run measures, so it gets no verdict. */
const UNJUDGED: Pick<ReportDocument, 'verdict' | 'findings'> = {
  verdict: { tone: 'unknown', sentence: 'The warm-up is not judged.', facts: '' },
  findings: [],
};

/** The page of an active run. It is built only when it is requested. */
export class LivePage {
  readonly #feed: RunFeed;
  readonly #measure: typeof measureWork;
  readonly #pace = new UpdatePace();
  readonly #parts = new PageParts();
  readonly #traces = new FollowedTraces();
  readonly #findings = new PacedResult<readonly Finding[]>(MAX_FINDINGS_SHARE, () => performance.now());
  /** The state of the run that the report shows. */
  #builtState: WatchedRun['state'] | undefined;
  #watched: WatchedRun | undefined;
  #report: ReportDocument | undefined;
  #problem: string | undefined;
  #silentMs = 0;
  /** Start and end of the last update, from `performance.now`. */
  #startMs = Number.NEGATIVE_INFINITY;
  #endMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  isFinal = false;

  /** @param measure measures the cost of updates */
  constructor(feed: RunFeed, measure: typeof measureWork = measureWork) {
    this.#feed = feed;
    this.#measure = measure;
  }

  /** The time until the next update is due, in milliseconds. */
  get waitMs(): number {
    const nowMs = performance.now();
    return this.#pace.getWaitMs(nowMs - this.#startMs, nowMs - this.#endMs);
  }

  get hasEnded(): boolean {
    return this.#watched?.state === 'ended';
  }

  /** Reads the run again, unless this was done just before. Rejects only if the run has never been read. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#endMs < this.#pace.intervalMs / 2) return;
    await this.refreshNow();
  }

  async refreshNow(): Promise<void> {
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Returns the page for a browser; undefined if the run has not started. */
  renderPage(): string | undefined {
    return (
      this.#report &&
      renderLivePage(this.#report, { version: this.#parts.version, status: this.describeStatus() })
    );
  }

  /** Returns the page as a file; undefined if the run has not started. */
  renderReport(): string | undefined {
    return this.#report && renderPage(this.#report);
  }

  /** Returns the parts that changed after a version. */
  createUpdate(after: number): LiveUpdate {
    return this.#parts.createUpdate(after, this.describeStatus());
  }

  describeStatus(): LiveStatus {
    const { state = 'starting', writtenMs = Date.now(), statisticsMs } = this.#watched ?? {};
    const text = TEXTS[state];
    return {
      text: this.#problem === undefined ? text : `${text} It could not be read again: ${this.#problem}`,
      kind: state === 'silent' || state === 'ended' ? state : 'running',
      ageMs: Math.max(0, Date.now() - writtenMs),
      ...(statisticsMs !== undefined && { statisticsAgeMs: Math.max(0, writtenMs - statisticsMs) }),
      silentMs: this.#silentMs,
      intervalMs: this.#pace.intervalMs,
      isBusy: this.#pace.isBusy,
      cpuAvailability: this.#pace.availability,
      isFinal: this.isFinal,
    };
  }

  async #read(): Promise<void> {
    const endWork = this.#measure();
    let hasChanged = true;
    const nowMs = Date.now();
    this.#startMs = performance.now();
    try {
      const watched = await this.#feed();
      this.#silentMs = watched ? Math.max(0, nowMs - watched.writtenMs) : 0;
      hasChanged = watched !== undefined && !this.#isShown(watched);
      this.#watched = watched ?? this.#watched;
      if (watched && hasChanged) await this.#build(watched);
      this.#problem = undefined;
    } catch (error) {
      // A file may be incomplete for a moment. The last page stays.
      if (!this.#report) throw error;
      this.#problem = (error as Error).message;
    }
    this.#endMs = performance.now();
    this.#pace.add(endWork(), hasChanged);
  }

  /** Reports whether the page shows this state already: the run has not written anything since. */
  #isShown({ run, state, writtenMs }: WatchedRun): boolean {
    const shown = this.#watched;
    if (!shown || !this.#report || state !== shown.state) return false;
    return run === shown.run || (state !== 'ended' && writtenMs === shown.writtenMs);
  }

  async #build({ run, state, listSamples, requests }: WatchedRun): Promise<void> {
    if (state !== this.#builtState) this.#findings.reset();
    this.#builtState = state;
    const running = listSamples && {
      listSamples,
      traces: this.#traces,
      findings: this.#findings,
      ...(requests && { requests }),
    };
    const report = await buildReport(run, undefined, running ? WHILE_RUNNING : {}, running);
    this.#report = state === 'warmup' ? { ...report, ...UNJUDGED } : report;
    this.#parts.update(this.#report);
  }
}
