/** Which statistic of a metric tells the story; seed 002, "What to watch". */
export type WatchedStat = 'avg' | 'max' | 'total' | 'rate' | 'p99_estimate';

/** A metric that is worth a look on this kind of server. */
export interface WatchedMetric {
  /** Name as in the exports. */
  readonly name: string;
  readonly stat: WatchedStat;
  /** What it says, for people. */
  readonly meaning: string;
  /** For the few that belong on the live line. */
  readonly headline?: Headline;
}

/** How a metric is said in a word and a figure. */
export interface Headline {
  readonly word: string;
  /** What several series make: requests add up, of ratios the highest counts. */
  readonly combine: 'sum' | 'max';
}

type Watch = (name: string, meaning: string, headline?: Headline) => WatchedMetric;

const watched =
  (stat: WatchedStat): Watch =>
  (name, meaning, headline) => ({ name, stat, meaning, ...(headline && { headline }) });

/** A metric of which its mean tells the story. */
export const mean: Watch = watched('avg');
/** Of which the highest value does. */
export const highest: Watch = watched('max');
/** Of which it counts how much there was in the run. */
export const total: Watch = watched('total');
/** Of which it counts how much there was a second. */
export const rate: Watch = watched('rate');
/** A time whose 99th percentile tells the story. */
export const p99: Watch = watched('p99_estimate');

/** On the live line, the sum of several series. */
export function adding(word: string): Headline {
  return { word, combine: 'sum' };
}

/** On the live line, the highest of several series. */
export function fullest(word: string): Headline {
  return { word, combine: 'max' };
}
