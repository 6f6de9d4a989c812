import type { HealthRecord, OutageRecord, ResetRecord } from '@org/record';

/** Maximum number of outages and resets to list; further ones are only counted. */
const MAX_LISTED = 100;

/** The reason code and description of a failed scrape. */
export interface ScrapeFailure {
  readonly reason: string;
  readonly message: string;
}

/** The outcomes of an endpoint's scrapes, in the order of time, for the export. */
export class ScrapeHealth {
  /** Number of successful scrapes. */
  succeeded = 0;
  failed = 0;
  /** Number of samples that were NaN or infinite. */
  dropped = 0;
  /** Number of invalid lines, and of bytes, if they are known. */
  badLines = 0;
  bytes = 0;
  #isFailing = false;
  readonly #outages: OutageRecord[] = [];
  #outagesOmitted = 0;
  #current: { readonly start: bigint; scrapes: number } | undefined;
  #lastFailure: ScrapeFailure | undefined;
  #firstFailureNs: bigint | undefined;
  #lastFailureNs: bigint | undefined;
  readonly #resets: ResetRecord[] = [];
  #resetsOmitted = 0;

  recordSuccess(ns: bigint): void {
    this.succeeded++;
    this.#isFailing = false;
    this.#endOutage(ns);
  }

  recordFailure(ns: bigint, failure: ScrapeFailure): void {
    this.#lastFailure = failure;
    this.failed++;
    this.#isFailing = true;
    this.#firstFailureNs ??= ns;
    this.#lastFailureNs = ns;
    this.#current ??= { start: ns, scrapes: 0 };
    this.#current.scrapes++;
  }

  recordReset(reset: ResetRecord): void {
    if (this.#resets.length < MAX_LISTED) this.#resets.push(reset);
    else this.#resetsOmitted++;
  }

  /** Returns the health at the end of the range. */
  toRecord(unsupported: Iterable<string>): HealthRecord {
    this.#endOutage(undefined);
    return {
      status: this.succeeded === 0 ? 'no_data' : this.#isFailing ? 'failing' : 'active',
      last_error: this.#lastFailure?.message ?? null,
      ...(this.#lastFailure ? { last_error_reason: this.#lastFailure.reason } : {}),
      scrapes_failed: this.failed,
      ...(this.#firstFailureNs === undefined ? {} : { first_failure_ns: this.#firstFailureNs }),
      ...(this.#lastFailureNs === undefined ? {} : { last_failure_ns: this.#lastFailureNs }),
      scrapes_late: 0,
      samples_dropped: this.dropped,
      lines_dropped: this.badLines,
      bytes: this.bytes,
      outages: this.#outages,
      outages_omitted: this.#outagesOmitted,
      resets: this.#resets,
      resets_omitted: this.#resetsOmitted,
      unsupported: [...unsupported],
    };
  }

  #endOutage(ns: bigint | undefined): void {
    if (!this.#current) return;
    const { start, scrapes } = this.#current;
    this.#current = undefined;
    const end = ns === undefined ? {} : { end_ns: ns };
    const outage = { start_ns: start, ...end, scrapes, ...this.#lastFailure! };
    if (this.#outages.length < MAX_LISTED) this.#outages.push(outage);
    else this.#outagesOmitted++;
  }
}
