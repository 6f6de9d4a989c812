import { EndpointStore, type Labels, Layout, type StoreMemory } from '@org/core';
import { ResetDetector } from '@org/scrape';
import type { FamilyResolver } from '../families/familyResolver.ts';
import { decodeXorChunk } from '../remoteRead/xorChunk.ts';
import { SampleBuffer } from '../sampleBuffer.ts';
import { getLabel, NAME_LABEL, type SampleBlock } from '../series.ts';
import { parseKey, type SpooledSeries } from '../spool/seriesCodec.ts';
import { ScrapeHealth } from './scrapeHealth.ts';
import { isScrapeMetric, UP_METRIC } from './scrapeMetrics.ts';
import { SeriesPlacement } from './seriesPlacement.ts';
import { findTargetLabels } from './targetLabels.ts';
import { type SampleRange, TimeAxis } from './timeAxis.ts';

/** A decoded series: its labels as a key, and its samples in the buffer. */
interface DecodedSeries extends SampleRange {
  readonly key: string;
}

/** A series that is not in the layout yet, and the time of its first sample. */
interface AddedSeries {
  readonly labels: Labels;
  readonly firstMs: number;
}

/** A time after all samples. */
const MAX_MS = Number.MAX_SAFE_INTEGER;

/** The target whose series are built, and how types are determined. */
export interface EndpointOptions {
  readonly resolver: FamilyResolver;
  readonly memory: StoreMemory | undefined;
  readonly job: string;
  readonly instance: string;
  /** The labels of the target, if it is still scraped. */
  readonly target: ReadonlyMap<string, string> | undefined;
}

/** The failure of a scrape with the value 0 of `up`. */
const DOWN = { reason: 'other', message: 'was down according to its metric up; the cause is not stored' };

// Shared by all endpoints, because they are built one after the other.
const buffer = new SampleBuffer();
let matrix: Float64Array<ArrayBufferLike> = new Float64Array(0);

/** Builds the store of one endpoint from its stored series, one piece of the time range after the other. */
export class EndpointBuilder {
  readonly store: EndpointStore;
  readonly health: ScrapeHealth = new ScrapeHealth();
  readonly placement: SeriesPlacement;
  /** True if `up` was imported, so that failed scrapes are known. */
  hasUp = false;
  /** Number of stored samples, without those that describe scrapes. */
  samples = 0;
  /** Number of samples whose time differs from the time of their scrape. */
  moved = 0;
  /** Number of times when all series ended. It is unknown whether scrapes failed at these times. */
  ends = 0;
  readonly #layout = new Layout();
  readonly #resets: ResetDetector;
  readonly #job: string;
  readonly #instance: string;
  #target: ReadonlyMap<string, string> | undefined;
  #previous: Float64Array | undefined;
  #previousNs: bigint | undefined;

  constructor({ resolver, memory, job, instance, target }: EndpointOptions) {
    this.#job = job;
    this.#instance = instance;
    this.#target = target;
    this.store = new EndpointStore(this.#layout, memory);
    this.placement = new SeriesPlacement(this.#layout, resolver);
    this.#resets = new ResetDetector(this.#layout);
  }

  /** The labels of the target, including `job` and `instance`. Known after the first piece. */
  get targetLabels(): ReadonlyMap<string, string> {
    return this.#target ?? new Map();
  }

  /** Adds the series of the endpoint in the time range [fromMs, toMs), which follows the ranges of earlier calls. */
  addPiece(all: Iterable<SpooledSeries>, fromMs: number, toMs: number): void {
    buffer.clear();
    const series: DecodedSeries[] = [];
    const added = new Map<string, AddedSeries>();
    const up: SampleRange[] = [];
    let upLabels: Labels | undefined;
    for (const { key, blocks } of all) {
      const labels =
        this.placement.getSlot(key) === undefined ? (added.get(key)?.labels ?? parseKey(key)) : undefined;
      const name = labels ? getLabel(labels, NAME_LABEL) : '';
      if (name !== UP_METRIC && isScrapeMetric(name)) continue;
      const range = decode(blocks, fromMs, toMs);
      if (name === UP_METRIC) {
        up.push(range);
        upLabels = labels;
      } else {
        series.push({ key, ...range });
        if (labels) {
          const firstMs = Math.min(added.get(key)?.firstMs ?? MAX_MS, findFirstMs(range));
          added.set(key, { labels, firstMs });
        }
      }
    }
    this.#target ??= findTargetLabels(upLabels, this.#job, this.#instance);
    this.placement.add(
      [...added].map(([key, { labels, firstMs }]) => ({ key, labels, firstMs })),
      this.#target,
    );
    this.#appendFrames(series, up);
  }

  #appendFrames(series: readonly DecodedSeries[], up: readonly SampleRange[]): void {
    this.hasUp ||= up.length > 0;
    const outcomes = readOutcomes(up);
    const scrapeTimes = up.length > 0 ? Float64Array.from(outcomes.keys()) : undefined;
    const axis = TimeAxis.create(buffer.times, series, scrapeTimes);
    const { slotCount } = this.#layout;
    const size = axis.times.length * slotCount;
    if (matrix.length < size) matrix = new Float64Array(size);
    matrix.fill(Number.NaN, 0, size);
    for (const decoded of series) this.#fill(decoded, axis, slotCount);
    this.health.dropped += buffer.dropped;
    axis.times.forEach((timeMs, row) => {
      this.#appendFrame(
        timeMs,
        matrix.subarray(row * slotCount, (row + 1) * slotCount),
        outcomes.get(timeMs),
      );
    });
    this.#previous = this.#previous?.slice();
  }

  /** Writes the samples of a series to the matrix, which has a row for each scrape. */
  #fill(series: DecodedSeries, axis: TimeAxis, slotCount: number): void {
    const slot = this.placement.getSlot(series.key)!;
    this.samples += series.to - series.from;
    if (slot === -1) return;
    const isAligned = axis.isEqualTo(buffer.times, series);
    for (let at = series.from; at < series.to; at++) {
      const timeMs = buffer.times[at]!;
      const row = isAligned ? at - series.from : axis.findRow(timeMs);
      if (!isAligned && axis.times[row] !== timeMs) this.moved++;
      matrix[row * slotCount + slot] = buffer.values[at]!;
    }
  }

  #appendFrame(timeMs: number, values: Float64Array, isUp: boolean | undefined): void {
    const ns = BigInt(Math.round(timeMs)) * 1_000_000n;
    if (isUp === false) {
      this.health.recordFailure(ns, DOWN);
      return;
    }
    if (values.every(Number.isNaN)) {
      if (isUp === undefined && this.#previous) this.ends++;
      if (isUp !== true) return;
    }
    const previous = this.#previous;
    const changed = !previous || !areEqual(values, previous);
    const reset = this.#resets.observe(values);
    if (reset)
      this.health.recordReset({
        at_ns: ns,
        previous_ns: this.#previousNs ?? ns,
        counters: reset.counters,
        ...(reset.hasRestarted ? { process_restarted: true } : {}),
      });
    this.store.append({ timestampNs: ns, latencyNs: 0, changed, values });
    this.health.recordSuccess(ns);
    this.#previous = values;
    this.#previousNs = ns;
  }
}

/** Decodes blocks into the buffer. Returns the range of their samples. */
function decode(blocks: readonly SampleBlock[], fromMs: number, toMs: number): SampleRange {
  const from = buffer.length;
  for (const block of blocks) {
    if (block.kind === 'xor') {
      if (block.maxMs < fromMs || block.minMs >= toMs) continue;
      decodeXorChunk(block.chunk, fromMs, toMs, buffer);
      continue;
    }
    block.timesMs.forEach((timeMs, at) => {
      if (timeMs >= fromMs && timeMs < toMs) buffer.push(timeMs, block.values[at]!);
    });
  }
  return { from, to: buffer.length };
}

/** Returns the time of the first sample in a range that is not a marker of the end of the series. */
function findFirstMs({ from, to }: SampleRange): number {
  let firstMs = MAX_MS;
  for (let at = from; at < to; at++)
    if (!Number.isNaN(buffer.values[at]!)) firstMs = Math.min(firstMs, buffer.times[at]!);
  return firstMs;
}

/** Returns whether each scrape succeeded, by its time, ascending. Ends of the series are left out. */
function readOutcomes(ranges: readonly SampleRange[]): Map<number, boolean> {
  const outcomes: [number, boolean][] = [];
  for (const { from, to } of ranges) {
    for (let at = from; at < to; at++) {
      const value = buffer.values[at]!;
      if (!Number.isNaN(value)) outcomes.push([buffer.times[at]!, value !== 0]);
    }
  }
  return new Map(outcomes.sort(([a], [b]) => a - b));
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false;
  return true;
}
