import { formatNumber, type Layout, type ScalarSeries } from '@org/core';
import type { Endpoint } from '@org/scrape';
import type { Headline, ServerCatalog, ServerDefinition } from '@org/servers';

/** A headline metric of a kind of server, with the series of the metric in a layout. */
interface HeadlineSeries extends Headline {
  readonly kind: string;
  readonly series: readonly ScalarSeries[];
}

/** Formats the headline metrics of recognized servers, such as running requests, for a progress line. */
export class HeadlineFormatter {
  readonly #servers: ServerCatalog;
  readonly #cache = new WeakMap<Layout, { seriesCount: number; headlines: readonly HeadlineSeries[] }>();

  constructor(servers: ServerCatalog) {
    this.#servers = servers;
  }

  /**
   * Formats the latest values, combined over all endpoints, such as `running 12, waiting 3, KV cache 0.41`. If
   * there are several kinds of servers, values are prefixed with the kind: `vLLM: running 12; SGLang: running
   * 3`.
   */
  format(endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[]): string {
    const kinds = [...this.#combineValues(endpoints)].map(([kind, values]) => {
      const text = [...values].map(([label, value]) => `${label} ${formatNumber(value)}`).join(', ');
      return { kind, text };
    });
    return kinds.map(({ kind, text }) => (kinds.length > 1 ? `${kind}: ${text}` : text)).join('; ');
  }

  /** Combines the latest values of all endpoints. Returns them by kind of server, then by label of the headline. */
  #combineValues(
    endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[],
  ): Map<string, Map<string, number>> {
    const byKind = new Map<string, Map<string, number>>();
    for (const { layout, latest } of endpoints) {
      if (!latest) continue;
      for (const { kind, label, operation, series } of this.#getHeadlines(layout)) {
        const byLabel = byKind.get(kind) ?? new Map<string, number>();
        const values = [byLabel.get(label), ...series.map(({ value }) => latest[value])];
        const validValues = values.filter(value => value !== undefined && !Number.isNaN(value)) as number[];
        if (validValues.length > 0) byKind.set(kind, byLabel.set(label, combine(validValues, operation)));
      }
    }
    return byKind;
  }

  /** Returns the headline metrics of a layout, which are cached until series are added to the layout. */
  #getHeadlines(layout: Layout): readonly HeadlineSeries[] {
    const cached = this.#cache.get(layout);
    if (cached?.seriesCount === layout.series.length) return cached.headlines;
    const headlines = findHeadlines(layout, this.#servers);
    this.#cache.set(layout, { seriesCount: layout.series.length, headlines });
    return headlines;
  }
}

function combine(values: readonly number[], operation: Headline['operation']): number {
  return values.reduce((a, b) => (operation === 'max' ? Math.max(a, b) : a + b));
}

function findHeadlines(layout: Layout, servers: ServerCatalog): HeadlineSeries[] {
  const scalars = layout.series.filter((series): series is ScalarSeries => series.kind === 'scalar');
  const kinds = servers.recognize(new Set(layout.series.map(({ family }) => family.name)));
  return kinds.flatMap(kind => findHeadlinesOfKind(kind, scalars, servers));
}

function findHeadlinesOfKind(
  { name: kind, keyMetrics }: ServerDefinition,
  scalars: readonly ScalarSeries[],
  servers: ServerCatalog,
): HeadlineSeries[] {
  return keyMetrics.flatMap(({ name, headline }) => {
    const all = headline ? selectFirst(scalars, servers.listNames(name)) : [];
    const series = servers.omitRepeats(name, all, ({ labels }) => Object.fromEntries(labels));
    return headline && series.length > 0 ? [{ ...headline, kind, series }] : [];
  });
}

/** Selects the series of the first name that exists. */
function selectFirst(scalars: readonly ScalarSeries[], names: readonly string[]): readonly ScalarSeries[] {
  const byName = names.map(name => scalars.filter(({ family }) => family.name === name));
  return byName.find(({ length }) => length > 0) ?? [];
}
