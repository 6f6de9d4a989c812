import type { SeriesChunk } from '@org/formats/parquet';

/** Series that are passed to another thread: their numbers are in one buffer, which is moved instead of copied. */
export interface SeriesMessage {
  readonly series: readonly PackedSeries[];
  readonly numbers: ArrayBuffer;
}

/** A series without its numbers. */
interface PackedSeries extends Omit<SeriesChunk, 'timestampsNs' | 'values' | 'histogram'> {
  /** Index of its first number in the buffer. Its columns follow each other: the timestamps, and then the values. */
  readonly start: number;
  readonly samples: number;
  readonly histogram?: { readonly bounds: readonly string[]; readonly hasSums: boolean };
}

/** Capacity of a message in numbers: 2 MB. A longer series has a longer message. */
const MESSAGE_NUMBERS = 1 << 18;

/** Copies series into messages. */
export class SeriesPacker {
  #series: PackedSeries[] = [];
  #numbers = new Float64Array(MESSAGE_NUMBERS);
  #length = 0;

  get isEmpty(): boolean {
    return this.#series.length === 0;
  }

  /** Reports whether a series fits into the current message. Every series fits into an empty one. */
  hasRoomFor(chunk: SeriesChunk): boolean {
    return this.isEmpty || this.#length + countNumbers(chunk) <= this.#numbers.length;
  }

  /** Copies a series, which must fit. */
  add(chunk: SeriesChunk): void {
    const { timestampsNs, values: _, histogram, ...identity } = chunk;
    const samples = timestampsNs.length;
    const count = countNumbers(chunk);
    if (count > this.#numbers.length) this.#numbers = new Float64Array(count);
    this.#series.push({
      ...identity,
      start: this.#length,
      samples,
      ...(histogram ? { histogram: { bounds: histogram.bounds, hasSums: histogram.sums !== null } } : {}),
    });
    new BigInt64Array(this.#numbers.buffer).set(timestampsNs, this.#length);
    this.#length += samples;
    for (const column of listColumns(chunk)) {
      this.#numbers.set(column, this.#length);
      this.#length += samples;
    }
  }

  /** Returns the message, and starts the next one. */
  take(): SeriesMessage {
    const message = { series: this.#series, numbers: this.#numbers.buffer };
    this.#series = [];
    this.#numbers = new Float64Array(MESSAGE_NUMBERS);
    this.#length = 0;
    return message;
  }
}

function countNumbers(chunk: SeriesChunk): number {
  return chunk.timestampsNs.length * (1 + listColumns(chunk).length);
}

/** Restores the series of a message, without copying their numbers. */
export function* unpackSeries({ series, numbers }: SeriesMessage): Generator<SeriesChunk> {
  for (const { start, samples, histogram, ...identity } of series) {
    let at = start + samples;
    const timestampsNs = new BigInt64Array(numbers, 8 * start, samples);
    const next = (): Float64Array => {
      const column = new Float64Array(numbers, 8 * at, samples);
      at += samples;
      return column;
    };
    if (!histogram) yield { ...identity, timestampsNs, values: next() };
    else {
      const { bounds, hasSums } = histogram;
      const sums = hasSums ? next() : null;
      const counts = next();
      yield {
        ...identity,
        timestampsNs,
        histogram: { sums, counts, bounds, bucketCounts: bounds.map(next) },
      };
    }
  }
}

/** Lists the columns of values in the order of a message. */
function listColumns({ values, histogram }: SeriesChunk): readonly Float64Array[] {
  if (!histogram) return values ? [values] : [];
  const { sums, counts, bucketCounts } = histogram;
  return [...(sums ? [sums] : []), counts, ...bucketCounts];
}
