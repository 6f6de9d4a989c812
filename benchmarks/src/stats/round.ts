import { type EndpointStore, type Series, type StatisticsOptions, seriesStatistics } from '@org/core';
import { CpuClock } from '../store/usage.ts';

/** The kinds whose times are told apart. */
export const KINDS = ['gauge', 'counter', 'histogram'] as const;
export type Kind = (typeof KINDS)[number];

/** What the statistics of all series of some endpoints took. */
export interface RoundCost {
  readonly series: Readonly<Record<Kind, number>>;
  readonly cpuS: Readonly<Record<Kind, number>>;
  readonly totalCpuS: number;
  readonly totalWallS: number;
  /** Timeslices that came out. */
  readonly slices: number;
  /** Histograms with estimated percentiles. */
  readonly estimates: number;
}

/**
 * All statistics of all series, one after the other. Each is let go when the next one is made, as in an export, which
 * writes it; what stays in memory is the store.
 */
export function statisticsCost(
  stores: readonly EndpointStore[],
  options: (store: EndpointStore) => StatisticsOptions,
): RoundCost {
  const round = new Round();
  for (const store of stores) {
    const chosen = options(store);
    round.take(store, series => {
      const result = seriesStatistics(store, series, chosen);
      if (result === null || result.type === 'summary') return;
      round.slices += result.timeslices?.length ?? 0;
      if (result.type === 'histogram' && result.stats.p50_estimate !== undefined) round.estimates++;
    });
  }
  return round.cost();
}

/** Only what statistics are made from: the samples of all series. */
export function readingCost(stores: readonly EndpointStore[]): RoundCost {
  const round = new Round();
  for (const store of stores) {
    round.take(store, series => {
      if (series.kind === 'histogram') store.histogramSamples(series);
      else if (series.kind === 'scalar') store.scalarSamples(series);
    });
  }
  return round.cost();
}

class Round {
  slices = 0;
  estimates = 0;
  readonly #all = new CpuClock();
  readonly #byKind: Record<Kind, CpuClock> = {
    gauge: new CpuClock(),
    counter: new CpuClock(),
    histogram: new CpuClock(),
  };
  readonly #series: Record<Kind, number> = { gauge: 0, counter: 0, histogram: 0 };

  take(store: EndpointStore, work: (series: Series) => void): void {
    this.#all.measure(() => {
      for (const kind of KINDS) {
        const series = store.layout.series.filter(one => kindOf(one) === kind);
        this.#series[kind] += series.length;
        this.#byKind[kind].measure(() => series.forEach(work));
      }
    });
  }

  cost(): RoundCost {
    const { gauge, counter, histogram } = this.#byKind;
    return {
      series: this.#series,
      cpuS: { gauge: gauge.cpuS, counter: counter.cpuS, histogram: histogram.cpuS },
      totalCpuS: this.#all.cpuS,
      totalWallS: this.#all.wallS,
      slices: this.slices,
      estimates: this.estimates,
    };
  }
}

/** An unknown is treated as a gauge; the simulated vLLM has no summaries. */
function kindOf({ family }: Series): Kind {
  return family.type === 'counter' || family.type === 'histogram' ? family.type : 'gauge';
}
