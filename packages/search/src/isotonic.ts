/** A measured value and its weight. */
export interface WeightedValue {
  readonly value: number;
  readonly weight: number;
}

/**
 * Fits the non-decreasing sequence with the smallest weighted sum of squared differences, by pooling adjacent violators
 * (Ayer, Brunk, Ewing, Reid and Silverman, "An empirical distribution function for sampling with incomplete information",
 * Annals of Mathematical Statistics 26, 1955).
 */
export function fitIsotonic(values: readonly WeightedValue[]): number[] {
  const blocks: { value: number; weight: number; size: number }[] = [];
  for (const { value, weight } of values) {
    blocks.push({ value, weight, size: 1 });
    while (blocks.length > 1 && blocks.at(-2)!.value > blocks.at(-1)!.value) pool(blocks);
  }
  return blocks.flatMap(({ value, size }) => Array<number>(size).fill(value));
}

/** Replaces the last two blocks by their weighted mean. */
function pool(blocks: { value: number; weight: number; size: number }[]): void {
  const last = blocks.pop()!;
  const previous = blocks.pop()!;
  const weight = previous.weight + last.weight;
  const value = (previous.value * previous.weight + last.value * last.weight) / weight;
  blocks.push({ value, weight, size: previous.size + last.size });
}
