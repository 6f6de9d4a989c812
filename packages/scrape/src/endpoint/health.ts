import type { Reading } from '../exposition/bodyState.ts';
import type { FetchResult } from '../http/exchange.ts';
import type { Failure } from '../http/failure.ts';
import type { DetectedReset } from './resetDetector.ts';

/**
 * The status of an endpoint. `no_data`: no scrape has succeeded yet. `active`: the last scrape succeeded.
 * `failing`: the last scrape failed, but earlier scrapes succeeded. `disabled`: no scrape has succeeded, and
 * a response was not in Prometheus format; the endpoint is not scraped again. `duplicate`: another endpoint
 * already scrapes the same metrics page; this endpoint is not scraped again. `removed`: the source of the endpoint
 * no longer lists it; it is not scraped until the source lists it again.
 */
export type EndpointStatus = 'no_data' | 'active' | 'failing' | 'disabled' | 'duplicate' | 'removed';

/**
 * The status shown to users. `flapping`: the endpoint recovered five times within the last minute. `intermittent`: the
 * last scrape succeeded, but at least 5% of the scrapes since the first success failed.
 */
export type DisplayStatus = EndpointStatus | 'flapping' | 'intermittent';

/** A series of consecutive failed scrapes. */
export interface Outage {
  /** Time of the first failed scrape, in nanoseconds since 1970. */
  readonly startNs: bigint;
  /** Time of the successful scrape that ended the outage, in nanoseconds since 1970; undefined until then. */
  endNs?: bigint;
  /** Number of failed scrapes. */
  scrapes: number;
  /** Reason and message of the most recent failure. */
  reason: Failure['reason'];
  message: string;
}

/** A reset of an endpoint's counters. */
export interface CounterReset {
  /**
   * Time of the first scrape after the reset, in nanoseconds since 1970.
   */
  readonly atNs: bigint;
  /** Time of the last successful scrape before the reset, in nanoseconds since 1970. */
  readonly previousNs: bigint;
  /** Number of counters that decreased. */
  readonly counters: number;
  /** True if the start time of the process changed, or its uptime fell. */
  readonly hasRestarted: boolean;
}

/** A change of an endpoint's IP address. */
export interface AddressChange {
  /** Time of the first scrape at the new address, in nanoseconds since 1970. */
  readonly atNs: bigint;
  readonly from: string;
  readonly to: string;
}

/** A time during which the source of an endpoint did not list it, in nanoseconds since 1970. */
export interface Absence {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** Maximum number of outages, resets, address changes and absences to list; further ones are only counted. */
const MAX_LISTED = 100;
/** An endpoint with this many recoveries within `FLAPPING_NS` is flapping. */
const FLAPPING_RECOVERIES = 5;
const FLAPPING_NS = 60_000_000_000n;
/** An endpoint with at least this fraction of failed scrapes is intermittent. */
const INTERMITTENT_SHARE = 0.05;
/** A single failed scrape is not intermittent. */
const MIN_INTERMITTENT_FAILURES = 2;

/** The status of one endpoint and the statistics of its scrapes, for the export. */
export class EndpointHealth {
  /** Time when the endpoint was added to the active run, in nanoseconds since 1970; undefined if it was present at the start. */
  addedNs: bigint | undefined;
  /** Time when the endpoint was removed, in nanoseconds since 1970; undefined while it is scraped. */
  removedNs: bigint | undefined;
  /** The first 100 absences that have ended, and the number of further absences. */
  readonly absences: Absence[] = [];
  furtherAbsences = 0;
  succeededScrapes = 0;
  failedScrapes = 0;
  /** Number of ticks skipped because the previous scrape was in flight or the process was busy. */
  lateScrapes = 0;
  /** Total number of dropped samples; see `Reading.dropped`. */
  droppedSamples = 0;
  /** Total number of invalid lines. */
  badLines = 0;
  /** Total size of all bodies as transferred, in bytes. */
  bytes = 0;
  /** The first 100 outages, and the number of further outages. */
  readonly outages: Outage[] = [];
  furtherOutages = 0;
  /** Times of the first and last failed scrape, in nanoseconds since 1970. */
  firstFailureNs: bigint | undefined;
  lastFailureNs: bigint | undefined;
  /** The first 100 resets and address changes, and the numbers of further entries. */
  readonly resets: CounterReset[] = [];
  furtherResets = 0;
  readonly addressChanges: AddressChange[] = [];
  furtherAddressChanges = 0;
  /** Names of metric families of unsupported types. */
  readonly unsupported: Set<string> = new Set<string>();
  /** The current outage or, if there is none, the most recent one. */
  lastOutage: Outage | undefined;
  /** The status, unless the endpoint is removed. */
  #status: Exclude<EndpointStatus, 'removed'> = 'no_data';
  #currentOutage: Outage | undefined;
  #address: string | undefined;
  #lastSuccessNs: bigint | undefined;
  /** Number of scrapes that failed before the first success. */
  #initialFailures = 0;
  /** Time of the last scrape, in nanoseconds since 1970. */
  #lastScrapeNs = 0n;
  /** Times of the most recent recoveries, in nanoseconds since 1970. */
  readonly #recoveryTimesNs: bigint[] = [];

  get status(): EndpointStatus {
    return this.removedNs === undefined ? this.#status : 'removed';
  }

  /** The status to show to users, including `flapping` and `intermittent`. */
  get displayStatus(): DisplayStatus {
    if (this.isExcluded) return this.status;
    if (this.isFlapping) return 'flapping';
    return this.status === 'active' && this.#isIntermittent ? 'intermittent' : this.status;
  }

  /** Time of the last successful scrape, in nanoseconds since 1970; undefined before the first one. */
  get lastSuccessNs(): bigint | undefined {
    return this.#lastSuccessNs;
  }

  get #isIntermittent(): boolean {
    const failures = this.failedScrapes - this.#initialFailures;
    const scrapes = failures + this.succeededScrapes;
    return failures >= MIN_INTERMITTENT_FAILURES && failures >= INTERMITTENT_SHARE * scrapes;
  }

  get isFlapping(): boolean {
    const oldestNs = this.#recoveryTimesNs.at(-FLAPPING_RECOVERIES);
    return oldestNs !== undefined && this.#lastScrapeNs - oldestNs < FLAPPING_NS;
  }

  /** True if the endpoint is excluded from further scrapes. */
  get isExcluded(): boolean {
    return this.removedNs !== undefined || this.#status === 'disabled' || this.#status === 'duplicate';
  }

  /** Records that the source no longer lists the endpoint. Statistics so far are kept. */
  remove(atNs: bigint): void {
    this.removedNs = atNs;
  }

  /** Records that the source lists a removed endpoint again. */
  restore(atNs: bigint): void {
    if (this.removedNs === undefined) return;
    if (this.absences.length < MAX_LISTED) this.absences.push({ startNs: this.removedNs, endNs: atNs });
    else this.furtherAbsences++;
    this.removedNs = undefined;
  }

  recordSuccess(fetched: FetchResult, reading: Reading): void {
    this.#status = 'active';
    if (this.succeededScrapes === 0) this.#initialFailures = this.failedScrapes;
    this.succeededScrapes++;
    this.bytes += fetched.encodedBytes;
    this.droppedSamples += reading.dropped;
    this.badLines += reading.badLineCount;
    for (const name of reading.omitted.unsupported) this.unsupported.add(name);
    this.#lastScrapeNs = fetched.firstByteNs!;
    if (this.#currentOutage) {
      this.#currentOutage.endNs = this.#lastScrapeNs;
      this.#recoveryTimesNs.push(this.#lastScrapeNs);
      if (this.#recoveryTimesNs.length > FLAPPING_RECOVERIES) this.#recoveryTimesNs.shift();
    }
    this.#currentOutage = undefined;
    this.#recordAddress(fetched);
    this.#lastSuccessNs = this.#lastScrapeNs;
  }

  /** Records a reset since the previous scrape. Must be called before `recordSuccess`. */
  recordReset({ firstByteNs }: FetchResult, { counters, hasRestarted }: DetectedReset): void {
    const previousNs = this.#lastSuccessNs ?? firstByteNs!;
    const reset = { atNs: firstByteNs!, previousNs, counters, hasRestarted };
    if (this.resets.length < MAX_LISTED) this.resets.push(reset);
    else this.furtherResets++;
  }

  recordFailure(fetched: FetchResult, failure: Failure): void {
    if (this.#status === 'active') this.#status = 'failing';
    this.failedScrapes++;
    this.bytes += fetched.encodedBytes;
    this.#lastScrapeNs = fetched.sentNs;
    this.firstFailureNs ??= fetched.sentNs;
    this.lastFailureNs = fetched.sentNs;
    const outage = this.#currentOutage ?? this.#startOutage(fetched, failure);
    outage.scrapes++;
    outage.reason = failure.reason;
    outage.message = failure.message;
  }

  exclude(status: 'disabled' | 'duplicate'): void {
    this.#status = status;
  }

  #recordAddress({ address, firstByteNs }: FetchResult): void {
    const previousAddress = this.#address;
    this.#address = address;
    if (address === undefined || previousAddress === undefined || previousAddress === address) return;
    if (this.addressChanges.length < MAX_LISTED)
      this.addressChanges.push({ atNs: firstByteNs!, from: previousAddress, to: address });
    else this.furtherAddressChanges++;
  }

  #startOutage(fetched: FetchResult, { reason, message }: Failure): Outage {
    this.#currentOutage = { startNs: fetched.sentNs, scrapes: 0, reason, message };
    this.lastOutage = this.#currentOutage;
    if (this.outages.length < MAX_LISTED) this.outages.push(this.#currentOutage);
    else this.furtherOutages++;
    return this.#currentOutage;
  }
}
