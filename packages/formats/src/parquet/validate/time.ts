import type { Int64Values, TextValues } from '../read/batch.ts';
import { type Findings, locateCell } from './findings.ts';
import { getText, SAME } from './identity.ts';
import type { TimeFilter } from './metadata.ts';

/**
 * The range of valid timestamps, 2001-09-09 to 2100-01-01, in Unix nanoseconds. Timestamps outside this range
 * are probably in another unit, such as milliseconds.
 */
const EARLIEST_NS = 1_000_000_000_000_000_000n;
const LATEST_NS = 4_102_444_800_000_000_000n;
/** Margin in nanoseconds that exceeds the rounding error of a timestamp as a double. */
const ROUNDING_MARGIN_NS = 4096;
/** Maximum number of tracked endpoints, to limit memory use. */
const MAX_ENDPOINTS = 10_000;

/** Scrapes allowed after the end of the period: one in flight at the end, and the final scrape. */
const MAX_SCRAPES_AFTER = 2;

/**
 * Checks that timestamps are in nanoseconds since 1970 and within the time filter, both ends inclusive. After
 * the end, two timestamps per endpoint are allowed: the response to a scrape in flight, and the final scrape.
 */
export class TimeChecker {
  readonly #filter: TimeFilter;
  readonly #findings: Findings;
  /** Timestamps between these doubles are valid. Others are checked exactly. */
  readonly #validAfter: number;
  readonly #validBefore: number;
  readonly #scrapesAfter = new Map<string | null, Set<bigint>>();

  constructor(filter: TimeFilter, findings: Findings) {
    this.#filter = filter;
    this.#findings = findings;
    this.#validAfter = Number(filter.startNs ?? EARLIEST_NS) + ROUNDING_MARGIN_NS;
    this.#validBefore = Number(filter.endNs ?? LATEST_NS) - ROUNDING_MARGIN_NS;
  }

  check(firstRow: number, timestamps: Int64Values, endpoints: TextValues, starts: Uint8Array): void {
    const { values } = timestamps;
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let row = 0; row < values.length; row++) {
      if (starts[row] === SAME || timestamps.present?.[row] === 0) continue;
      const approximate = words[2 * row + 1]! * 0x1_0000_0000 + (words[2 * row]! >>> 0);
      if (approximate > this.#validAfter && approximate < this.#validBefore) continue;
      this.#checkExactly(firstRow + row, values[row]!, getText(endpoints, row));
    }
  }

  #checkExactly(row: number, timestamp: bigint, endpoint: string | null): void {
    const { startNs, endNs } = this.#filter;
    const place = locateCell(row, 'timestamp_ns');
    if (timestamp < EARLIEST_NS || timestamp > LATEST_NS) {
      const message = `is ${timestamp}; expected nanoseconds since 1970, between the years 2001 and 2100`;
      this.#findings.add('parquet-time', place, message, timestamp);
    } else if (startNs !== undefined && timestamp < startNs) {
      const message = `is ${startNs - timestamp} ns before the start of the time filter`;
      this.#findings.add('parquet-time', place, message, timestamp);
    } else if (endNs !== undefined && timestamp > endNs && !this.#isAllowedAfterEnd(endpoint, timestamp)) {
      const message = `is ${timestamp - endNs} ns after the end of the time filter; at most two scrapes per endpoint are allowed there`;
      this.#findings.add('parquet-time', place, message, timestamp);
    }
  }

  #isAllowedAfterEnd(endpoint: string | null, timestamp: bigint): boolean {
    const timestamps = this.#scrapesAfter.get(endpoint) ?? new Set();
    if (timestamps.size < MAX_SCRAPES_AFTER) timestamps.add(timestamp);
    if (this.#scrapesAfter.size < MAX_ENDPOINTS) this.#scrapesAfter.set(endpoint, timestamps);
    return timestamps.has(timestamp);
  }
}
