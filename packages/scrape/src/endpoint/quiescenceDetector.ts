import type { Layout, Series, Slot } from '@org/core';

/** Families that go on counting on a server that does nothing: what processes, runtimes and machines count of themselves. */
const IDLE_ACTIVITY: readonly RegExp[] = [
  /^(process|python|go|promhttp|jvm|nodejs|dotnet|node|container|net|system)_/,
  /(^|[_:])(cpu|energy|uptime|heartbeat|keepalive)([_:]|$)/i,
  /scrape|exporter|exposition|_created$|timestamp/i,
];
/** Labels that name what was asked for: our own scrapes are counted, too. */
const PAGE_LABEL = /^(handler|path|endpoint|route|uri|url|target|http_route|http_target|method_path)$/;
const METRICS_PAGE = /\/metrics\/?$/;

/** A counter, or the count of a histogram or summary, and the name of its family. */
interface Watched {
  readonly slot: Slot;
  readonly name: string;
}

/**
 * Watches whether the counters of one endpoint stand still: counters, and the counts of histograms and summaries, but those
 * that move on an idle server as well.
 */
export class QuiescenceDetector {
  readonly #layout: Layout;
  readonly #watched: Watched[] = [];
  #last = new Float64Array();
  #series = 0;
  #stillSinceNs: bigint | undefined;
  #comparisons = 0;
  #moving: readonly string[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Since when nothing has moved, ns since 1970: the time of the frame that showed the last move, or of the first frame. */
  get stillSinceNs(): bigint | undefined {
    return this.#stillSinceNs;
  }

  /** How many frames in a row were as the one before. */
  get comparisons(): number {
    return this.#comparisons;
  }

  /** The families that moved last; none when nothing ever did. */
  get moving(): readonly string[] {
    return this.#moving;
  }

  /** Takes the values of the next frame. */
  next(timestampNs: bigint, values: Float64Array): void {
    this.#grow();
    const moved = this.#moved(values);
    const isFirst = this.#stillSinceNs === undefined;
    if (!isFirst && moved.size === 0) {
      this.#comparisons++;
      return;
    }
    this.#stillSinceNs = timestampNs;
    this.#comparisons = 0;
    if (!isFirst) this.#moving = [...moved];
  }

  /** Against the last known value: a series that is not there for once has not moved, one that is new was 0. */
  #moved(values: Float64Array): Set<string> {
    const moved = new Set<string>();
    this.#watched.forEach(({ slot, name }, at) => {
      const value = values[slot];
      if (value === undefined || Number.isNaN(value) || value === this.#last[at]) return;
      this.#last[at] = value;
      moved.add(name);
    });
    return moved;
  }

  #grow(): void {
    const { series } = this.#layout;
    for (; this.#series < series.length; this.#series++) {
      const watched = findCounter(series[this.#series]!);
      if (watched) this.#watched.push(watched);
    }
    if (this.#last.length === this.#watched.length) return;
    const last = new Float64Array(this.#watched.length);
    last.set(this.#last);
    this.#last = last;
  }
}

function findCounter(series: Series): Watched | undefined {
  const { name, type } = series.family;
  if (IDLE_ACTIVITY.some(rule => rule.test(name))) return undefined;
  if (series.labels.some(([label, value]) => PAGE_LABEL.test(label) && METRICS_PAGE.test(value)))
    return undefined;
  if (series.kind !== 'scalar') return { slot: series.count, name };
  return type === 'counter' ? { slot: series.value, name } : undefined;
}
