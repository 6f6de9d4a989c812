import type { Fetched } from './exchange.ts';
import type { Reading } from './exposition/reader.ts';
import type { Failure } from './failure.ts';

/**
 * `no_data`: has given none so far. `active`: the last scrape gave data. `failing`: it gave data before, the last scrape
 * gave none. `disabled`: it does not speak Prometheus and is left alone. `duplicate`: its metrics are another endpoint's, which
 * is scraped already.
 */
export type EndpointStatus = 'no_data' | 'active' | 'failing' | 'disabled' | 'duplicate';

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

const MOST_OUTAGES = 100;

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
  /** Names of families that have no column, ever. */
  readonly unsupported: Set<string> = new Set<string>();
  /** The outage that goes on, or went on last. */
  lastOutage: Outage | undefined;
  #open: Outage | undefined;

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
    if (this.#open) this.#open.endNs = fetched.firstByteNs!;
    this.#open = undefined;
  }

  failed(fetched: Fetched, failure: Failure): void {
    if (this.status === 'active') this.status = 'failing';
    this.failedScrapes++;
    this.bytes += fetched.encodedBytes;
    const open = this.#open ?? this.#begin(fetched, failure);
    open.scrapes++;
    open.reason = failure.reason;
    open.message = failure.message;
  }

  leaveAlone(status: 'disabled' | 'duplicate'): void {
    this.status = status;
  }

  #begin(fetched: Fetched, { reason, message }: Failure): Outage {
    this.#open = { startNs: fetched.sentNs, scrapes: 0, reason, message };
    this.lastOutage = this.#open;
    if (this.outages.length < MOST_OUTAGES) this.outages.push(this.#open);
    else this.furtherOutages++;
    return this.#open;
  }
}
