import type { MatchedSeries } from './matchSeries.ts';

/** Returns a function that selects the labels of a match that differ among the series of its metric. */
export function findDistinguishingLabels(
  matches: readonly MatchedSeries[],
): (match: MatchedSeries) => MatchedSeries['labels'] {
  const metrics = new Map<string, { series: number; readonly labels: Map<string, SeenLabel> }>();
  for (const { name, labels } of new Set(matches)) {
    const metric = metrics.get(name) ?? { series: 0, labels: new Map<string, SeenLabel>() };
    if (metric.series++ === 0) metrics.set(name, metric);
    for (const label of Object.keys(labels)) {
      const seen = metric.labels.get(label);
      if (!seen) metric.labels.set(label, { value: labels[label]!, differs: false, series: 1 });
      else {
        seen.differs ||= seen.value !== labels[label];
        seen.series++;
      }
    }
  }
  const tells = ({ name }: MatchedSeries, label: string): boolean => {
    const { series, labels } = metrics.get(name)!;
    const seen = labels.get(label)!;
    return seen.differs || seen.series < series;
  };
  return match => {
    const telling = Object.keys(match.labels).filter(label => tells(match, label));
    return Object.fromEntries(telling.map(label => [label, match.labels[label]!]));
  };
}

/** A label of a metric: its first value, whether others exist, and the number of series that have it. */
interface SeenLabel {
  readonly value: string;
  differs: boolean;
  series: number;
}
