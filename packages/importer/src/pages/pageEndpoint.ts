import { EndpointStore, Layout, type StoreMemory } from '@org/core';
import { ResetDetector } from '@org/scrape';
import { ExpositionError, ExpositionReader } from '@org/scrape/exposition';
import { ScrapeHealth } from '../endpoint/scrapeHealth.ts';
import type { PageContent } from './pageContent.ts';

/** Builds the store of one endpoint from its metrics pages, in the order of time. */
export class PageEndpoint {
  readonly store: EndpointStore;
  readonly health: ScrapeHealth = new ScrapeHealth();
  readonly unsupported: Set<string> = new Set<string>();
  samples = 0;
  readonly #reader: ExpositionReader;
  readonly #resets: ResetDetector;
  #previousNs: bigint | undefined;

  constructor(memory: StoreMemory | undefined) {
    const layout = new Layout();
    this.store = new EndpointStore(layout, memory);
    this.#reader = new ExpositionReader(layout);
    this.#resets = new ResetDetector(layout);
  }

  /** Adds a page. A page that cannot be parsed is a failed scrape. */
  add({ body, format }: PageContent, ns: bigint): void {
    this.health.bytes += body.length;
    try {
      const reading = this.#reader.read(body, format);
      const { values, changed } = reading;
      const reset = this.#resets.observe(values);
      if (reset) {
        const restarted = reset.hasRestarted ? { process_restarted: true } : {};
        this.health.recordReset({
          at_ns: ns,
          previous_ns: this.#previousNs ?? ns,
          counters: reset.counters,
          ...restarted,
        });
      }
      this.store.append({ timestampNs: ns, latencyNs: 0, changed, values });
      this.health.recordSuccess(ns);
      this.health.dropped += reading.dropped;
      this.health.badLines += reading.badLineCount;
      this.samples += reading.samples;
      for (const name of reading.omitted.unsupported) this.unsupported.add(name);
      this.#previousNs = ns;
    } catch (error) {
      if (!(error instanceof ExpositionError)) throw error;
      this.fail(ns, `returned a body that is not Prometheus exposition format (${error.message})`);
    }
  }

  /** Records a page that cannot be used. `message` is a predicate. */
  fail(ns: bigint, message: string): void {
    this.health.recordFailure(ns, { reason: 'not_prometheus', message });
  }
}
