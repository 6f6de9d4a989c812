import type { Layout, ScalarSeries } from '@org/core';
import { formatValue } from '@org/core';

import type { Endpoint } from '@org/scrape';
import { type Headline, recognizeServers, type ServerDefinition } from '@org/servers';

/** A headline of one kind of server, and the series of a layout that it is about. */
interface WatchedHeadline extends Headline {
  readonly kind: string;
  readonly series: readonly ScalarSeries[];
}

/** The few gauges that a live line shows: those that the key metrics of a recognised server name as headlines. */
export class Headlines {
  readonly #known = new WeakMap<Layout, { seriesCount: number; headlines: readonly WatchedHeadline[] }>();

  /**
   * `running 12, waiting 3, KV cache 0.41`: the latest values, over all endpoints of a kind of server. Where there are
   * several kinds, each has its name in front: `vLLM: running 12; SGLang: running 3`.
   */
  text(endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[]): string {
    const kinds = [...this.#figures(endpoints)].map(([kind, figures]) => {
      const text = [...figures].map(([word, value]) => `${word} ${formatValue(value, null)}`).join(', ');
      return { kind, text };
    });
    return kinds.map(({ kind, text }) => (kinds.length > 1 ? `${kind}: ${text}` : text)).join('; ');
  }

  /** Figures by word, by kind of server. */
  #figures(endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[]): Map<string, Map<string, number>> {
    const found = new Map<string, Map<string, number>>();
    for (const { layout, latest } of endpoints) {
      if (!latest) continue;
      for (const { kind, label, operation, series } of this.#headlines(layout)) {
        const values = series.map(({ value }) => latest[value] ?? Number.NaN);
        const figures = found.get(kind) ?? new Map<string, number>();
        const before = figures.get(label);
        const known = [
          ...(before === undefined ? [] : [before]),
          ...values.filter(value => !Number.isNaN(value)),
        ];
        if (known.length > 0) found.set(kind, figures.set(label, combined(known, operation)));
      }
    }
    return found;
  }

  #headlines(layout: Layout): readonly WatchedHeadline[] {
    const known = this.#known.get(layout);
    if (known?.seriesCount === layout.series.length) return known.headlines;
    const headlines = headlinesOf(layout);
    this.#known.set(layout, { seriesCount: layout.series.length, headlines });
    return headlines;
  }
}

function combined(values: readonly number[], how: Headline['operation']): number {
  return values.reduce((a, b) => (how === 'max' ? Math.max(a, b) : a + b));
}

function headlinesOf(layout: Layout): WatchedHeadline[] {
  const scalars = layout.series.filter((series): series is ScalarSeries => series.kind === 'scalar');
  const kinds = recognizeServers(new Set(layout.series.map(({ family }) => family.name)));
  return kinds.flatMap(kind => headlinesOfKind(kind, scalars));
}

function headlinesOfKind(
  { name: kind, watched }: ServerDefinition,
  scalars: readonly ScalarSeries[],
): WatchedHeadline[] {
  return watched.flatMap(({ name, headline }) => {
    const series = headline ? scalars.filter(({ family }) => family.name === name) : [];
    return headline && series.length > 0 ? [{ ...headline, kind, series }] : [];
  });
}
