import type { ProfileExport, ProfileRecord } from '@org/formats';
import { isWarmupRecord, readProfileRecords } from '@org/formats/read';
import type { RequestMetrics } from '@org/loadgen';
import { GrowingLines } from '@org/record/follow';
import type { ProfileHeader, RecoveredRun } from '@org/record/journal';
import { createProfileDocument } from '../profile/document.ts';
import { toEndedRequest } from '../profile/requestLine.ts';
import { RunMetrics } from '../profile/runMetrics.ts';
import { RecordedTokenSource, toClientTokens } from '../profile/tokenSource.ts';
import { createRequestParts } from '../recover/requestParts.ts';

/** The metrics of a request that charts use. */
const CHARTED_METRICS = [
  'time_to_first_token',
  'inter_token_latency',
  'request_latency',
  'output_sequence_length',
  'good_request_count',
] as const;

/** Reads the requests of a running run, and their metrics so far. Only appended lines are read. */
export class FollowedRequests {
  readonly #header: ProfileHeader;
  readonly #path: string;
  #lines: GrowingLines;
  #totals: Totals;
  #recordedTokens = new RecordedTokenSource();

  constructor(header: ProfileHeader, path: string) {
    this.#header = header;
    this.#path = path;
    this.#lines = new GrowingLines(path);
    this.#totals = new Totals(header);
  }

  /** The requests of the profiling phase, with the fields that charts use. */
  get charted(): readonly ProfileRecord[] {
    return this.#totals.charted;
  }

  /** Reads the appended requests. Lines that cannot be read are skipped. */
  async read(): Promise<void> {
    const { bytes, isRestarted } = await this.#lines.read();
    if (isRestarted) this.#restart();
    if (bytes.length === 0) return;
    const records: ProfileRecord[] = [];
    for await (const record of readProfileRecords(bytes, { onIssue: () => {} })) records.push(record);
    const usedTokens = this.#tokenSource;
    for (const record of records) this.#recordedTokens.add(record);
    // The first response decides which tokens count, and a later one can change that for all requests.
    if (this.#totals.count > 0 && this.#tokenSource !== usedTokens) return this.#readAgain();
    for (const record of records) this.#add(record);
  }

  /** Creates the client's document of the profiling phase so far. Returns undefined before its first request has ended. */
  createDocument(run: RecoveredRun): ProfileExport | undefined {
    if (this.#totals.charted.length === 0) return undefined;
    const { metrics, earlyStops } = this.#totals;
    const {
      was_cancelled: _,
      is_complete: __,
      incomplete_reason: ___,
      ...document
    } = createProfileDocument(
      createRequestParts(run, this.#header, {
        metrics,
        earlyStops,
        originNs: this.#header.startNs,
        warmupStartNs: this.#header.startNs,
        lastNs: this.#totals.getLastNs(run.record.endNs),
        tokenSource: this.#tokenSource,
      }),
    );
    return document;
  }

  get #tokenSource(): 'client' | 'server' {
    const { tokenSource, tokenizer } = this.#header;
    return tokenSource ?? (tokenizer === 'server' ? 'server' : this.#recordedTokens.source);
  }

  #add(record: ProfileRecord): void {
    const mustConvert = this.#header.tokenSource === undefined && this.#tokenSource === 'client';
    this.#totals.add(mustConvert ? toClientTokens(record) : record);
  }

  #restart(): void {
    this.#totals = new Totals(this.#header);
    this.#recordedTokens = new RecordedTokenSource();
  }

  async #readAgain(): Promise<void> {
    this.#totals = new Totals(this.#header);
    this.#lines = new GrowingLines(this.#path);
    const { bytes } = await this.#lines.read();
    for await (const record of readProfileRecords(bytes, { onIssue: () => {} })) {
      this.#recordedTokens.add(record);
      this.#add(record);
    }
  }
}

/** The metrics of requests. Times are relative to the start of the run. */
class Totals {
  readonly metrics: RunMetrics;
  readonly charted: ProfileRecord[] = [];
  readonly #startNs: bigint;
  count = 0;
  earlyStops = 0;
  /** The last end of a request, in nanoseconds since 1970. */
  lastNs = 0n;

  constructor({ streaming, goodput, fixedSchedule = false, startNs }: ProfileHeader) {
    this.metrics = new RunMetrics({ streaming, fixedSchedule, ...(goodput ? { goodput } : {}) }, undefined);
    this.#startNs = startNs;
  }

  /** Returns the last end of a request, or the time of the last scrape if it is later. */
  getLastNs(scrapeNs: bigint): bigint {
    if (scrapeNs > this.lastNs) return scrapeNs;
    return this.lastNs;
  }

  add(line: ProfileRecord): void {
    const { metadata } = line;
    // The file may contain requests of an earlier run.
    if (BigInt(metadata.request_start_ns) < this.#startNs) return;
    this.count += 1;
    const isWarmup = isWarmupRecord(line);
    const request = toEndedRequest(line, this.#startNs);
    this.metrics.add(
      isWarmup ? 'warmup' : 'profiling',
      request,
      (line.metrics ?? {}) as RequestMetrics,
      // Used only for timeslices, which the metrics of a running run do not have.
      0,
      metadata.url_index,
    );
    if (isWarmup) return;
    if (metadata.stopped_early) this.earlyStops += 1;
    const endNs = BigInt(metadata.request_end_ns);
    if (endNs > this.lastNs) this.lastNs = endNs;
    this.charted.push(selectCharted(line));
  }
}

/** Keeps the fields of a request that charts use, so that a long run does not fill the memory. */
function selectCharted({ metadata, metrics, error }: ProfileRecord): ProfileRecord {
  const { request_start_ns, request_end_ns, was_cancelled, x_request_id } = metadata;
  const selected = CHARTED_METRICS.flatMap(name => {
    const metric = metrics?.[name];
    return metric ? [[name, metric] as const] : [];
  });
  return {
    metadata: { request_start_ns, request_end_ns, was_cancelled, x_request_id },
    metrics: Object.fromEntries(selected),
    error: error ?? null,
  } as ProfileRecord;
}
