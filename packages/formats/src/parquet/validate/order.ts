import type { Int64Values, TextValues } from '../read/batch.ts';
import { type Findings, locateCell } from './findings.ts';
import { getText, NEW_SERIES, SAME } from './identity.ts';

/** Maximum number of series whose last timestamp is kept, to limit memory use. */
const MAX_SERIES = 100_000;

/** A timestamp as the two 32-bit words of its int64, which are compared without a bigint. */
interface Words {
  readonly high: number;
  readonly low: number;
}

/**
 * Checks that the timestamps of each series are in ascending order. The rows of a series need not be
 * consecutive: AIPerf writes them scrape by scrape.
 */
export class OrderChecker {
  readonly #findings: Findings;
  /** The last timestamp of each series, except the current one. */
  readonly #lastBySeries = new Map<string, Words>();
  #series = '';
  #last: Words | undefined;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  check(firstRow: number, texts: readonly TextValues[], timestamps: Int64Values, starts: Uint8Array): void {
    const { values, present } = timestamps;
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    for (let row = 0; row < values.length; row++) {
      if (starts[row] === SAME) continue;
      if (starts[row] === NEW_SERIES)
        this.#beginSeries(texts.map(column => getText(column, row) ?? '').join('\0'));
      if (present?.[row] === 0) continue;
      const high = words[2 * row + 1]!;
      const low = words[2 * row]! >>> 0;
      const last = this.#last;
      if (last && (high < last.high || (high === last.high && low < last.low)))
        this.#findings.add(
          'parquet-time-order',
          locateCell(firstRow + row, 'timestamp_ns'),
          'is before the timestamp of an earlier row of the same series',
          values[row],
        );
      this.#last = { high, low };
    }
  }

  #beginSeries(series: string): void {
    if (this.#last && (this.#lastBySeries.size < MAX_SERIES || this.#lastBySeries.has(this.#series)))
      this.#lastBySeries.set(this.#series, this.#last);
    this.#series = series;
    this.#last = this.#lastBySeries.get(series);
  }
}
