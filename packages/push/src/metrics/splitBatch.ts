import { type Batch, countPoints, type Family } from './batch.ts';

/** Splits a batch into batches of at most `maxPoints` points, in order. A batch that is small enough remains as it is. */
export function splitBatch(batch: Batch, maxPoints: number): readonly Batch[] {
  return countPoints(batch) <= maxPoints ? [batch] : splitFamilies(batch, maxPoints);
}

function splitFamilies(batch: Batch, maxPoints: number): Batch[] {
  const parts: Family[][] = [];
  let room = 0;
  for (const { definition, points } of batch.families)
    for (let start = 0; start < points.length; ) {
      if (room === 0) {
        parts.push([]);
        room = maxPoints;
      }
      const some = points.slice(start, start + room);
      parts.at(-1)!.push({ definition, points: some });
      start += some.length;
      room -= some.length;
    }
  return parts.map(families => ({ ...batch, families }));
}
