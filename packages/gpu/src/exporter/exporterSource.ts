import type { Clock } from '@org/core';
import { Collector, type Endpoint, type Target, type UrlFetcher } from '@org/scrape';
import type { GpuSample } from '../sample.ts';
import type { GpuSource, SampleSink } from '../source.ts';
import { ExporterPage } from './exporterPage.ts';

export interface ExporterSourceOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly createFetcher: (target: Target) => UrlFetcher;
  readonly onSamples: SampleSink;
}

/** Scrapes the page of one exporter. */
export class ExporterSource implements GpuSource {
  readonly #collector: Collector;
  readonly #endpoint: Endpoint;
  readonly #gpus = new Set<string>();
  #isStarted = false;

  constructor({ target, clock, intervalMs, createFetcher, onSamples }: ExporterSourceOptions) {
    let page: ExporterPage | undefined;
    this.#collector = new Collector({
      targets: [target],
      clock,
      intervalMs,
      createFetcher,
      onFrame: (endpoint, { timestampNs, values }) => {
        page ??= new ExporterPage(endpoint.layout);
        const samples: GpuSample[] = page
          .read(values)
          .map(reading => ({ ...reading, timestampNs, source: endpoint.url }));
        for (const { gpu } of samples) this.#gpus.add(gpu.uuid);
        if (samples.length > 0) onSamples(samples);
      },
    });
    this.#endpoint = this.#collector.endpoints[0]!;
  }

  get url(): string {
    return this.#endpoint.url;
  }

  get gpuCount(): number {
    return this.#gpus.size;
  }

  get failure(): string | undefined {
    const { status, lastOutage } = this.#endpoint.health;
    if (status !== 'active') return lastOutage?.message ?? 'no response';
    return this.#gpus.size > 0 ? undefined : 'the page contains no metrics of GPUs';
  }

  get interruptions(): number {
    return this.#endpoint.health.failedScrapes;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#collector.start();
  }

  async sample(limitMs: number): Promise<void> {
    await this.#collector.scrapeAll(limitMs);
  }

  async close(): Promise<void> {
    await this.#collector.close();
  }
}
