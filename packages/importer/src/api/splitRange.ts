import type { MsRange } from './sampleReader.ts';

/** Splits a range that includes both ends into ranges that do not include their end. */
export function splitRange(fromMs: number, toMs: number, pieceMs: number): MsRange[] {
  const pieces: MsRange[] = [];
  for (let start = fromMs; start <= toMs; start += pieceMs)
    pieces.push({ fromMs: start, toMs: Math.min(start + pieceMs, toMs + 1) });
  return pieces;
}

/** Splits a range into parts that have `maxSamples` of its samples at most, if they are evenly distributed. */
export function splitBySamples(range: MsRange, samples: number, maxSamples = 2_000_000): MsRange[] {
  const parts = Math.max(1, Math.ceil(samples / maxSamples));
  return splitRange(range.fromMs, range.toMs - 1, Math.ceil((range.toMs - range.fromMs) / parts));
}
