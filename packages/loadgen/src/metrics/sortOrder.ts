/** Average number of keys in a bucket. */
const KEYS_PER_BUCKET = 4;
/** Buckets of up to this size are sorted by insertion. */
const MAX_INSERTIONS = 32;

/**
 * Returns the indices of finite keys in ascending order of the keys; equal keys stay in order. A bucket sort: takes
 * linear time for keys that are spread evenly, such as the times of a run.
 */
export function sortOrder(keys: Float64Array): Uint32Array {
  const { order, ends } = distribute(keys);
  let start = 0;
  for (const end of ends) {
    if (end - start > MAX_INSERTIONS) order.subarray(start, end).sort((a, b) => keys[a]! - keys[b]! || a - b);
    else insertionSort(order, keys, start, end);
    start = end;
  }
  return order;
}

/** Distributes the indices of keys over buckets of the same width; `ends` are the ends of the buckets in `order`. */
function distribute(keys: Float64Array): { readonly order: Uint32Array; readonly ends: Uint32Array } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    if (key < min) min = key;
    if (key > max) max = key;
  }
  const count = max > min ? Math.ceil(keys.length / KEYS_PER_BUCKET) : 1;
  const scale = max > min ? (count - 1) / (max - min) : 0;
  const ends = new Uint32Array(count);
  for (const key of keys) ends[Math.floor((key - min) * scale)]! += 1;
  let total = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    total += ends[bucket]!;
    ends[bucket] = total;
  }
  const order = new Uint32Array(keys.length);
  // Filling buckets from their ends, in reverse, keeps the order of equal keys and leaves the starts in `ends`.
  for (let index = keys.length - 1; index >= 0; index--)
    order[--ends[Math.floor((keys[index]! - min) * scale)]!] = index;
  ends.copyWithin(0, 1);
  if (count > 0) ends[count - 1] = keys.length;
  return { order, ends };
}

function insertionSort(order: Uint32Array, keys: Float64Array, start: number, end: number): void {
  for (let next = start + 1; next < end; next++) {
    const index = order[next]!;
    const key = keys[index]!;
    let position = next;
    while (position > start && keys[order[position - 1]!]! > key) {
      order[position] = order[position - 1]!;
      position -= 1;
    }
    order[position] = index;
  }
}
