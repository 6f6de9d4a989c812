import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeXorChunk } from '../../src/remoteRead/xorChunk.ts';
import { SampleBuffer } from '../../src/sampleBuffer.ts';
import type { StoredSeries } from '../../src/series.ts';

/** Reads a response that was recorded from a real server. */
export function readRecorded(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../files', name));
}

/** A range vector of Prometheus: the samples as stored, without markers of the end of a series. */
interface RangeVector {
  readonly from: number;
  readonly to: number;
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly values: readonly (readonly [number, string])[];
  }[];
}

export const RANGE_VECTOR = JSON.parse(readRecorded('range-vector.json').toString('utf8')) as RangeVector;

/** Samples by labels: times in milliseconds and values, without those that are NaN. */
export type SamplesByLabels = Readonly<Record<string, readonly (readonly [number, number])[]>>;

/** Returns the samples of Prometheus' range vector. */
export function listExpectedSamples(): SamplesByLabels {
  return Object.fromEntries(
    RANGE_VECTOR.result.map(({ metric, values }) => [
      formatKey(Object.entries(metric)),
      values.map(([seconds, value]) => [Math.round(seconds * 1000), Number(value)] as const),
    ]),
  );
}

/** Decodes series, and joins the parts of each. */
export function collectSamples(all: Iterable<StoredSeries>): SamplesByLabels {
  const samples: Record<string, (readonly [number, number])[]> = {};
  for (const { labels, blocks } of all) {
    const buffer = new SampleBuffer();
    for (const block of blocks) {
      if (block.kind === 'xor') decodeXorChunk(block.chunk, RANGE_VECTOR.from, RANGE_VECTOR.to, buffer);
      else for (const [at, timeMs] of block.timesMs.entries()) buffer.push(timeMs, block.values[at]!);
    }
    const key = formatKey(labels);
    samples[key] ??= [];
    for (let at = 0; at < buffer.length; at++)
      if (!Number.isNaN(buffer.values[at]!)) samples[key].push([buffer.times[at]!, buffer.values[at]!]);
  }
  return samples;
}

function formatKey(labels: Iterable<readonly [string, string]>): string {
  return JSON.stringify([...labels].sort(([a], [b]) => (a < b ? -1 : 1)));
}
