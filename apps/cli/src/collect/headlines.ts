import type { Layout, ScalarSeries } from '@org/core';
import { figure, recognisedServers } from '@org/reader';
import type { Endpoint } from '@org/scrape';

interface Headline {
  readonly word: string;
  /** Ratios of several engines are not added up: the highest counts. */
  readonly highest: boolean;
  readonly series: readonly ScalarSeries[];
}

/** The few gauges that a live line shows: those that the key metrics of a recognised server name as headlines. */
export class Headlines {
  readonly #known = new WeakMap<Layout, { seriesCount: number; headlines: readonly Headline[] }>();

  /** `running 12, waiting 3, KV cache 0.41`: the latest values, over all endpoints. */
  text(endpoints: readonly Endpoint[]): string {
    const totals = new Map<string, number>();
    for (const { layout, latest } of endpoints) {
      if (!latest) continue;
      for (const { word, highest, series } of this.#headlines(layout)) {
        for (const { value } of series) {
          const now = latest[value] ?? Number.NaN;
          if (Number.isNaN(now)) continue;
          const before = totals.get(word);
          totals.set(word, before === undefined ? now : highest ? Math.max(before, now) : before + now);
        }
      }
    }
    return [...totals].map(([word, value]) => `${word} ${figure(value, null)}`).join(', ');
  }

  #headlines(layout: Layout): readonly Headline[] {
    const known = this.#known.get(layout);
    if (known?.seriesCount === layout.series.length) return known.headlines;
    const headlines = headlinesOf(layout);
    this.#known.set(layout, { seriesCount: layout.series.length, headlines });
    return headlines;
  }
}

function headlinesOf(layout: Layout): Headline[] {
  const scalars = layout.series.filter((series): series is ScalarSeries => series.kind === 'scalar');
  const metrics = recognisedServers(new Set(layout.series.map(({ family }) => family.name))).flatMap(
    kind => kind.metrics,
  );
  return metrics.flatMap(({ name, headline, stat }) => {
    const series = headline === undefined ? [] : scalars.filter(({ family }) => family.name === name);
    const highest = stat === 'max' && /cache|usage|util/.test(name);
    return series.length === 0 ? [] : [{ word: headline!, highest, series }];
  });
}
