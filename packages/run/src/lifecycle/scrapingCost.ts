import type { ScrapingRecord } from '@org/record';
import type { Endpoint } from '@org/scrape';

/** Measures the CPU time of this process from the creation of the instance. */
export class ScrapingCost {
  readonly #cpuBefore = process.cpuUsage();

  /** Returns the CPU time so far, in total and per scrape of the endpoints. */
  measure(endpoints: readonly Endpoint[]): ScrapingRecord {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const cpuMs = (user + system) / 1000;
    const scrapes = endpoints.reduce(
      (sum, { health }) => sum + health.succeededScrapes + health.failedScrapes,
      0,
    );
    return { scrapes, cpu_ms: cpuMs, ...(scrapes > 0 ? { cpu_ms_per_scrape: cpuMs / scrapes } : {}) };
  }
}
