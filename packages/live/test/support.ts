import { Layout } from '@org/core';
import type { LoadProgress } from '@org/loadgen';
import { ProfileMetrics } from '@org/loadgen';
import type { ActiveLoad } from '@org/run';
import type { Endpoint } from '@org/scrape';

/** An endpoint of a server whose metrics are set by the test. */
export class TestEndpoint {
  readonly target = {};
  readonly url: string;
  readonly layout: Layout = new Layout();
  readonly health: {
    status: string;
    lastSuccessNs: bigint | undefined;
    lastOutage: { reason: string } | undefined;
    failedScrapes: number;
    lateScrapes: number;
  } = {
    status: 'active',
    lastSuccessNs: undefined,
    lastOutage: undefined,
    failedScrapes: 0,
    lateScrapes: 0,
  };
  stalledMs = 0;
  latest: Float64Array | undefined;

  constructor(url = 'http://localhost:8000/metrics') {
    this.url = url;
  }

  /** Scrapes values at a time in seconds. Names start with the type: `gauge`, `counter` or `histogram`. */
  scrape(seconds: number, values: Readonly<Record<string, number | Readonly<Record<string, number>>>>): this {
    const slots = new Map<number, number>();
    for (const [key, value] of Object.entries(values)) {
      const [type = '', name = '', reason = ''] = key.split(' ');
      const family = { name, type: type as 'gauge', help: '' };
      const labels = reason === '' ? [] : ([['finished_reason', reason]] as const);
      if (typeof value === 'number') slots.set(this.layout.scalar(family, labels).value, value);
      else {
        const series = this.layout.histogram(family, labels);
        for (const [le, count] of Object.entries(value))
          slots.set(this.layout.bucket(series, le === 'Inf' ? Infinity : Number(le), le), count);
      }
    }
    this.latest = new Float64Array(this.layout.slotCount).fill(Number.NaN);
    for (const [slot, value] of slots) this.latest[slot] = value;
    this.health.lastSuccessNs = BigInt(seconds * 1e9);
    return this;
  }

  /** Lets the last scrape fail. */
  fail(): void {
    this.health.status = 'failing';
    this.health.lastOutage = { reason: 'refused' };
  }

  get asEndpoint(): Endpoint {
    return this as unknown as Endpoint;
  }
}

/** A load whose progress and requests are set by the test. */
export class TestLoad {
  readonly metrics: ProfileMetrics;
  readonly warmupMetrics: ProfileMetrics = new ProfileMetrics({ streaming: true });
  progress: LoadProgress = {
    phase: 'profiling',
    sent: 0,
    inFlight: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    elapsedNs: 0,
  };

  /** @param maxExactValues the number of values of each metric that are stored */
  constructor(maxExactValues?: number) {
    this.metrics = new ProfileMetrics({
      streaming: true,
      ...(maxExactValues !== undefined && { maxExactValues }),
    });
  }

  /** Advances to a time of the phase, with further requests of these latencies in milliseconds. */
  advance(seconds: number, latencies: readonly number[], changes: Partial<LoadProgress> = {}): void {
    for (const value of latencies) this.#add(value);
    const succeeded = this.progress.succeeded + latencies.length;
    this.progress = { ...this.progress, succeeded, elapsedNs: seconds * 1e9, ...changes };
  }

  /** The active load, as in the event of a run. */
  createActive(endpoints: readonly TestEndpoint[] = []): ActiveLoad {
    const { metrics, warmupMetrics } = this;
    const load = { getProgress: () => this.progress } as unknown as ActiveLoad['load'];
    return { load, endpoints: endpoints.map(one => one.asEndpoint), metrics, warmupMetrics };
  }

  #add(value: number): void {
    const { phase } = this.progress;
    const metrics = phase === 'warmup' ? this.warmupMetrics : this.metrics;
    metrics.add(
      { failure: undefined, cancelled: false, startNs: 0, lastTokenNs: 1, endNs: 1 } as never,
      {
        time_to_first_token: { value: value / 10, unit: 'ms' },
        request_latency: { value, unit: 'ms' },
        output_sequence_length: { value: 10, unit: 'tokens' },
        output_token_count: { value: 10, unit: 'tokens' },
      } as never,
    );
  }
}
