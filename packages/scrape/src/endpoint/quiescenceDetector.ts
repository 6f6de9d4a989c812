import type { Layout, Series, Slot } from '@org/core';

/**
 * Patterns of the names of families that change even on an idle server: metrics of the process, the runtime,
 * the machine and the scrapes themselves.
 */
const IDLE_ACTIVITY: readonly RegExp[] = [
  /^(process|python|go|promhttp|jvm|nodejs|dotnet|node|container|net|system)_/,
  /(^|[_:])(cpu|energy|uptime|heartbeat|keepalive)([_:]|$)/i,
  /scrape|exporter|exposition|_created$|timestamp/i,
];
/**
 * Names of labels that contain the path of a request. Servers also count the requests of scrapes, whose path
 * is the metrics page.
 */
const PATH_LABEL = /^(handler|path|endpoint|route|uri|url|target|http_route|http_target|method_path)$/;
const METRICS_PAGE = /\/metrics\/?$/;

/** A slot to watch for changes, with the name of its family. */
interface WatchedSlot {
  readonly slot: Slot;
  readonly name: string;
}

/**
 * Detects whether the counters of one endpoint have stopped changing. Counters and the counts of histograms
 * and summaries are compared, except for metrics that change even on an idle server.
 */
export class QuiescenceDetector {
  readonly #layout: Layout;
  readonly #watched: WatchedSlot[] = [];
  #lastValues = new Float64Array();
  #seriesCount = 0;
  #unchangedSinceNs: bigint | undefined;
  #unchangedFrames = 0;
  #changing: readonly string[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * Time of the last frame with a change, or of the first frame if nothing has changed, in nanoseconds since
   * 1970. Undefined before the first frame.
   */
  get unchangedSinceNs(): bigint | undefined {
    return this.#unchangedSinceNs;
  }

  /** Number of consecutive frames without a change. */
  get unchangedFrames(): number {
    return this.#unchangedFrames;
  }

  /** Names of the families that changed most recently; empty if nothing has changed yet. */
  get changing(): readonly string[] {
    return this.#changing;
  }

  /** Compares the values of the next frame with the previous values. */
  observe(timestampNs: bigint, values: Float64Array): void {
    this.#addNewSeries();
    const changes = this.#findChanges(values);
    const isFirst = this.#unchangedSinceNs === undefined;
    if (!isFirst && changes.size === 0) {
      this.#unchangedFrames++;
      return;
    }
    this.#unchangedSinceNs = timestampNs;
    this.#unchangedFrames = 0;
    if (!isFirst) this.#changing = [...changes];
  }

  /**
   * Returns the names of families with a value that differs from its last known value. An absent series
   * counts as unchanged; the last known value of a new series is 0.
   */
  #findChanges(values: Float64Array): Set<string> {
    const changes = new Set<string>();
    this.#watched.forEach(({ slot, name }, index) => {
      const value = values[slot];
      if (value === undefined || Number.isNaN(value) || value === this.#lastValues[index]) return;
      this.#lastValues[index] = value;
      changes.add(name);
    });
    return changes;
  }

  #addNewSeries(): void {
    const { series } = this.#layout;
    for (; this.#seriesCount < series.length; this.#seriesCount++) {
      const watched = findWatchedSlot(series[this.#seriesCount]!);
      if (watched) this.#watched.push(watched);
    }
    if (this.#lastValues.length === this.#watched.length) return;
    const lastValues = new Float64Array(this.#watched.length);
    lastValues.set(this.#lastValues);
    this.#lastValues = lastValues;
  }
}

/** Returns the slot of a series to watch; undefined for gauges and series that change on an idle server. */
function findWatchedSlot(series: Series): WatchedSlot | undefined {
  const { name, type } = series.family;
  if (IDLE_ACTIVITY.some(pattern => pattern.test(name))) return undefined;
  if (series.labels.some(([label, value]) => PATH_LABEL.test(label) && METRICS_PAGE.test(value)))
    return undefined;
  if (series.kind !== 'scalar') return { slot: series.count, name };
  return type === 'counter' ? { slot: series.value, name } : undefined;
}
