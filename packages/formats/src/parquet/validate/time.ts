import type { Int64Values, TextValues } from '../read/column.ts';
import { type Findings, rowPath } from './findings.ts';
import { getText, SAME } from './identity.ts';
import type { TimeFilter } from './metadata.ts';

/** 2001-09-09 and 2100-01-01: outside, a timestamp is no nanoseconds since 1970, but perhaps milliseconds. */
const EARLIEST = 1_000_000_000_000_000_000n;
const LATEST = 4_102_444_800_000_000_000n;
/** What a double of that size may be off by, with room to spare. */
const ROUNDING = 4096;
/** More endpoints than this are not followed. */
const MAX_ENDPOINTS = 10_000;

/** Scrapes that may lie behind the end: one that was under way then, and the final one, which closes the period. */
const SCRAPES_AFTER = 2;

/**
 * Checks that timestamps are nanoseconds since 1970 inside the time filter. Both its bounds belong to it, and after its end
 * two timestamps an endpoint are allowed: an answer to a scrape that was under way, and the final scrape.
 */
export class TimeChecker {
  readonly #filter: TimeFilter;
  readonly #findings: Findings;
  /** Timestamps between these, as doubles, need no closer look. */
  readonly #from: number;
  readonly #to: number;
  readonly #scrapesAfter = new Map<string | null, Set<bigint>>();

  constructor(filter: TimeFilter, findings: Findings) {
    this.#filter = filter;
    this.#findings = findings;
    this.#from = Number(filter.startNs ?? EARLIEST) + ROUNDING;
    this.#to = Number(filter.endNs ?? LATEST) - ROUNDING;
  }

  check(firstRow: number, timestamps: Int64Values, endpoints: TextValues, starts: Uint8Array): void {
    const { values } = timestamps;
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let row = 0; row < values.length; row++) {
      if (starts[row] === SAME || timestamps.present?.[row] === 0) continue;
      const roughly = words[2 * row + 1]! * 0x1_0000_0000 + (words[2 * row]! >>> 0);
      if (roughly > this.#from && roughly < this.#to) continue;
      this.#look(firstRow + row, values[row]!, getText(endpoints, row));
    }
  }

  #look(row: number, timestamp: bigint, endpoint: string | null): void {
    const { startNs, endNs } = this.#filter;
    const place = rowPath(row, 'timestamp_ns');
    if (timestamp < EARLIEST || timestamp > LATEST) {
      const message = `is ${timestamp}, which is not between 2001 and 2100 in nanoseconds since 1970`;
      this.#findings.add('parquet-time', place, message, timestamp);
    } else if (startNs !== undefined && timestamp < startNs) {
      const message = `is ${startNs - timestamp} ns before the time filter begins`;
      this.#findings.add('parquet-time', place, message, timestamp);
    } else if (endNs !== undefined && timestamp > endNs && !this.#mayFollow(endpoint, timestamp)) {
      const message = `is ${timestamp - endNs} ns after the time filter ends; of each endpoint two scrapes may be`;
      this.#findings.add('parquet-time', place, message, timestamp);
    }
  }

  #mayFollow(endpoint: string | null, timestamp: bigint): boolean {
    const known = this.#scrapesAfter.get(endpoint) ?? new Set();
    if (known.size < SCRAPES_AFTER) known.add(timestamp);
    if (this.#scrapesAfter.size < MAX_ENDPOINTS) this.#scrapesAfter.set(endpoint, known);
    return known.has(timestamp);
  }
}
