import { computeSeriesStatistics, type EndpointStore, type Series, type StatisticsOptions } from '@org/core';
import { CpuClock } from '../measure/cpuClock.ts';

/** Kinds of series that are timed separately. */
export const KINDS = ['gauge', 'counter', 'histogram'] as const;
export type Kind = (typeof KINDS)[number];

/** The time to compute the statistics of all series of several endpoints, and the number of results. */
export interface StatisticsCost {
  /** Number of series, by kind. */
  readonly series: Readonly<Record<Kind, number>>;
  /** CPU time in seconds, by kind. */
  readonly cpuS: Readonly<Record<Kind, number>>;
  readonly totalCpuS: number;
  readonly totalWallS: number;
  /** Number of computed timeslices. */
  readonly slices: number;
  /** Number of histograms with percentile estimates. */
  readonly estimates: number;
}

/**
 * Measures the time to compute the statistics of all series, one after the other. As in an export, each result
 * is discarded before the next result is computed; only the stores stay in memory.
 */
export function measureStatistics(
  stores: readonly EndpointStore[],
  getOptions: (store: EndpointStore) => StatisticsOptions,
): StatisticsCost {
  const counter = new CostCounter();
  for (const store of stores) {
    const storeOptions = getOptions(store);
    counter.measure(store, series => {
      const result = computeSeriesStatistics(store, series, storeOptions);
      if (result === null || result.type === 'summary') return;
      counter.slices += result.timeslices?.length ?? 0;
      if (result.type === 'histogram' && result.stats.p50_estimate !== undefined) counter.estimates++;
    });
  }
  return counter.toCost();
}

/** Measures only the time to read the samples of all series. */
export function measureReading(stores: readonly EndpointStore[]): StatisticsCost {
  const counter = new CostCounter();
  for (const store of stores) {
    counter.measure(store, series => {
      if (series.kind === 'histogram') store.histogramSamples(series);
      else if (series.kind === 'scalar') store.scalarSamples(series);
    });
  }
  return counter.toCost();
}

/** Adds up the time and the results of the measured work, by kind of series. */
class CostCounter {
  slices = 0;
  estimates = 0;
  readonly #total = new CpuClock();
  readonly #byKind: Record<Kind, CpuClock> = {
    gauge: new CpuClock(),
    counter: new CpuClock(),
    histogram: new CpuClock(),
  };
  readonly #series: Record<Kind, number> = { gauge: 0, counter: 0, histogram: 0 };

  measure(store: EndpointStore, work: (series: Series) => void): void {
    this.#total.measure(() => {
      for (const kind of KINDS) {
        const series = store.layout.series.filter(candidate => getKind(candidate) === kind);
        this.#series[kind] += series.length;
        this.#byKind[kind].measure(() => series.forEach(work));
      }
    });
  }

  toCost(): StatisticsCost {
    const { gauge, counter, histogram } = this.#byKind;
    return {
      series: this.#series,
      cpuS: { gauge: gauge.cpuS, counter: counter.cpuS, histogram: histogram.cpuS },
      totalCpuS: this.#total.cpuS,
      totalWallS: this.#total.wallS,
      slices: this.slices,
      estimates: this.estimates,
    };
  }
}

/** Returns the kind of a series. Series of unknown type count as gauges. The simulated vLLM has no summaries. */
function getKind({ family }: Series): Kind {
  return family.type === 'counter' || family.type === 'histogram' ? family.type : 'gauge';
}
