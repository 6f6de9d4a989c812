import type { Labels } from '@org/core';
import { countChunkSamples } from './remoteRead/xorChunk.ts';

/** Samples of one series, either as a chunk of Prometheus or as arrays. */
export type SampleBlock =
  | {
      readonly kind: 'xor';
      readonly chunk: Uint8Array;
      /** Times of the first and the last sample in Unix milliseconds; infinite if the source does not state them. */
      readonly minMs: number;
      readonly maxMs: number;
    }
  | { readonly kind: 'raw'; readonly timesMs: Float64Array; readonly values: Float64Array };

/** A series as a source returns it: all its labels, including `__name__`, and samples in the order of time. */
export interface StoredSeries {
  readonly labels: Labels;
  readonly blocks: readonly SampleBlock[];
}

/** Receives the series of a source, one after the other. A series may come in several parts. */
export type SeriesSink = (series: StoredSeries) => void;

/** The label with the name of the metric. */
export const NAME_LABEL = '__name__';

/** Returns the value of a label; empty if the series does not have the label, as in Prometheus. */
export function getLabel(labels: Labels, name: string): string {
  for (const label of labels) if (label[0] === name) return label[1];
  return '';
}

/** Returns the number of samples of a block. */
export function countSamples(block: SampleBlock): number {
  return block.kind === 'raw' ? block.timesMs.length : countChunkSamples(block.chunk);
}
