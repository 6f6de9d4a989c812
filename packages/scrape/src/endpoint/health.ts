import type { Reading } from '../exposition/expositionReader.ts';
import type { Fetched } from '../http/exchange.ts';
import type { Failure } from '../http/failure.ts';

/**
 * `no_data`: has given none so far. `active`: the last scrape gave data. `failing`: it gave data before, the last scrape
 * gave none. `disabled`: it does not speak Prometheus and is left alone. `duplicate`: its metrics are another endpoint's, which
 * is scraped already.
 */
export type EndpointStatus = 'no_data' | 'active' | 'failing' | 'disabled' | 'duplicate';

/** `flapping`: gives data and fails by turns, five times within the last minute. */
export type ShownStatus = EndpointStatus | 'flapping';

/** A stretch of failed scrapes. */
export interface Outage {
  /** When the first of them was sent, ns since 1970. */
  readonly startNs: bigint;
  /** When data came again; undefined when it never did. */
  endNs?: bigint;
  /** How many scrapes failed. */
  scrapes: number;
  /** The reason and message of the last of them. */
  reason: Failure['reason'];
  message: string;
}

/** A moment at which the counters of an endpoint began again. */
export interface ResetNote {
  /** When the scrape was answered that shows it, and the one before it, ns since 1970. */
  readonly atNs: bigint;
  readonly previousNs: bigint;
  /** How many counters fell. */
  readonly counters: number;
}

/** A moment at which the data began to come from another IP address. */
export interface AddressChange {
  readonly atNs: bigint;
  readonly from: string;
  readonly to: string;
}

/** Of each list that is kept, so many are; further ones are counted. */
const MAX_LISTED = 100;
/** So many recoveries within such a time are flapping. */
const FLAPS = 5;
const FLAPPING_NS = 60_000_000_000n;

/** How an endpoint has fared: counts and times, for the export. */
export class EndpointHealth {
  status: EndpointStatus = 'no_data';
  /** Scrapes that gave data, that failed, and ticks that passed while one was still under way. */
  succeededScrapes = 0;
  failedScrapes = 0;
  lateScrapes = 0;
  /** Samples without a finite value, and lines that could not be read, added up over all scrapes. */
  droppedSamples = 0;
  badLines = 0;
  /** Bytes of all bodies, on the wire. */
  bytes = 0;
  /** The first 100 outages, and how many more there were. */
  readonly outages: Outage[] = [];
  furtherOutages = 0;
  /** When a scrape failed the first time and the last, ns since 1970. */
  firstFailureNs: bigint | undefined;
  lastFailureNs: bigint | undefined;
  /** The first 100 resets and changes of address, and how many more there were. */
  readonly resets: ResetNote[] = [];
  furtherResets = 0;
  readonly addressChanges: AddressChange[] = [];
  furtherAddressChanges = 0;
  /** Names of families that have no column, ever. */
  readonly unsupported: Set<string> = new Set<string>();
  /** The outage that goes on, or went on last. */
  lastOutage: Outage | undefined;
  #open: Outage | undefined;
  #address: string | undefined;
  #answeredNs: bigint | undefined;
  #lastNs = 0n;
  /** When it came back, the last times. */
  readonly #recoveries: bigint[] = [];

  /** How it stands, as people are told. */
  get shownStatus(): ShownStatus {
    return this.isFlapping && !this.isLeftAlone ? 'flapping' : this.status;
  }

  get isFlapping(): boolean {
    const first = this.#recoveries.at(-FLAPS);
    return first !== undefined && this.#lastNs - first < FLAPPING_NS;
  }

  /** True when the endpoint is not scraped any more. */
  get isLeftAlone(): boolean {
    return this.status === 'disabled' || this.status === 'duplicate';
  }

  succeeded(fetched: Fetched, reading: Reading): void {
    this.status = 'active';
    this.succeededScrapes++;
    this.bytes += fetched.encodedBytes;
    this.droppedSamples += reading.dropped;
    this.badLines += reading.badLineCount;
    for (const name of reading.left.unsupported) this.unsupported.add(name);
    this.#lastNs = fetched.firstByteNs!;
    if (this.#open) {
      this.#open.endNs = this.#lastNs;
      this.#recoveries.push(this.#lastNs);
      if (this.#recoveries.length > FLAPS) this.#recoveries.shift();
    }
    this.#open = undefined;
    this.#noteAddress(fetched);
    this.#answeredNs = this.#lastNs;
  }

  /** Counters fell between the scrape before and this one. To be called before `succeeded`. */
  reset({ firstByteNs }: Fetched, counters: number): void {
    const note = { atNs: firstByteNs!, previousNs: this.#answeredNs ?? firstByteNs!, counters };
    if (this.resets.length < MAX_LISTED) this.resets.push(note);
    else this.furtherResets++;
  }

  failed(fetched: Fetched, failure: Failure): void {
    if (this.status === 'active') this.status = 'failing';
    this.failedScrapes++;
    this.bytes += fetched.encodedBytes;
    this.#lastNs = fetched.sentNs;
    this.firstFailureNs ??= fetched.sentNs;
    this.lastFailureNs = fetched.sentNs;
    const open = this.#open ?? this.#begin(fetched, failure);
    open.scrapes++;
    open.reason = failure.reason;
    open.message = failure.message;
  }

  leaveAlone(status: 'disabled' | 'duplicate'): void {
    this.status = status;
  }

  #noteAddress({ address, firstByteNs }: Fetched): void {
    const from = this.#address;
    this.#address = address;
    if (address === undefined || from === undefined || from === address) return;
    if (this.addressChanges.length < MAX_LISTED)
      this.addressChanges.push({ atNs: firstByteNs!, from, to: address });
    else this.furtherAddressChanges++;
  }

  #begin(fetched: Fetched, { reason, message }: Failure): Outage {
    this.#open = { startNs: fetched.sentNs, scrapes: 0, reason, message };
    this.lastOutage = this.#open;
    if (this.outages.length < MAX_LISTED) this.outages.push(this.#open);
    else this.furtherOutages++;
    return this.#open;
  }
}
