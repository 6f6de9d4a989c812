import { createRandom } from '../measure/random.ts';
import type { WrittenSeries } from './remoteWrite.ts';

/** Number of histograms of an endpoint, and of buckets of each. */
const HISTOGRAMS = 40;
const BUCKETS = 20;
/** Number of Prometheus series of a histogram: its buckets, sum and count. */
const SERIES_PER_HISTOGRAM = BUCKETS + 2;
const COUNTERS = 50;

type Labels = WrittenSeries['labels'];

/**
 * Generates the series of one endpoint as a busy inference server has them: 40 histograms of 20 buckets, 50 counters, and
 * gauges for the rest. Values continue from one range of times to the next.
 */
export class EndpointSeries {
  readonly #labels: Labels;
  readonly #random: () => number;
  readonly #gauges: number;
  readonly #state: Float64Array;

  /** @param series number of series, without the `up` series that is added */
  constructor(index: number, series: number) {
    const instance = `10.0.${index >> 8}.${index & 255}:8000`;
    this.#labels = [
      ['job', 'vllm'],
      ['instance', instance],
      ['model_name', 'Qwen/Qwen3-0.6B'],
    ];
    this.#random = createRandom(index + 1);
    this.#gauges = Math.max(0, series - HISTOGRAMS * SERIES_PER_HISTOGRAM - COUNTERS);
    this.#state = new Float64Array(HISTOGRAMS * SERIES_PER_HISTOGRAM + COUNTERS + this.#gauges);
  }

  /** Returns the samples of all series at the times. */
  generate(timesMs: readonly number[]): WrittenSeries[] {
    const columns = this.#generateColumns(timesMs.length);
    const up = { labels: this.#label('up').slice(0, 3), timesMs, values: timesMs.map(() => 1) };
    return [up, ...columns.map((values, at) => ({ labels: this.#describe(at), timesMs, values }))];
  }

  #generateColumns(count: number): number[][] {
    const columns = Array.from(this.#state, () => new Array<number>(count));
    for (let row = 0; row < count; row++) {
      this.#advance();
      columns.forEach((column, at) => {
        column[row] = this.#state[at]!;
      });
    }
    return columns;
  }

  /** Advances all values to the next scrape. */
  #advance(): void {
    const state = this.#state;
    const random = this.#random;
    for (let histogram = 0; histogram < HISTOGRAMS; histogram++) {
      const at = histogram * SERIES_PER_HISTOGRAM;
      const observations = Math.floor(random() * 20);
      for (let i = 0; i < observations; i++) {
        const bucket = Math.min(BUCKETS - 1, Math.floor((random() + random()) * 0.5 * BUCKETS));
        for (let le = bucket; le < BUCKETS; le++) state[at + le]!++;
        state[at + BUCKETS]! += random() * (bucket + 1);
        state[at + BUCKETS + 1]!++;
      }
    }
    const counters = HISTOGRAMS * SERIES_PER_HISTOGRAM;
    for (let i = 0; i < COUNTERS; i++) state[counters + i]! += Math.floor(random() * 1000);
    for (let i = 0; i < this.#gauges; i++) {
      if (random() < 0.5) state[counters + COUNTERS + i] = Math.floor(random() * 100);
    }
  }

  #describe(at: number): Labels {
    const histogram = Math.floor(at / SERIES_PER_HISTOGRAM);
    if (histogram < HISTOGRAMS) return this.#describeBucket(histogram, at % SERIES_PER_HISTOGRAM);
    const rest = at - HISTOGRAMS * SERIES_PER_HISTOGRAM;
    return rest < COUNTERS
      ? this.#label(`bench:events_${rest}_total`)
      : this.#label(`bench:value_${rest - COUNTERS}`);
  }

  #describeBucket(histogram: number, part: number): Labels {
    const name = `bench:latency_${histogram}_seconds`;
    if (part === BUCKETS) return this.#label(`${name}_sum`);
    if (part > BUCKETS) return this.#label(`${name}_count`);
    return [...this.#label(`${name}_bucket`), ['le', part === BUCKETS - 1 ? '+Inf' : String(part + 1)]];
  }

  #label(name: string): Labels {
    return [['job', 'vllm'], this.#labels[1]!, ['__name__', name], this.#labels[2]!];
  }
}
