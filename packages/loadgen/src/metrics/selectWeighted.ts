/**
 * Returns the smallest value that, together with all smaller ones, has at least a fraction `q` of the total weight.
 * `below` is the weight of smaller values that are not in the arrays. Partitions the arrays around pivots (Hoare,
 * "Algorithm 65: Find", CACM 4, 1961) instead of sorting them.
 */
export function selectWeighted(
  values: Float64Array,
  weights: Float64Array,
  q: number,
  total: number,
  below = 0,
): number {
  let low = 0;
  let high = values.length - 1;
  let belowWeight = below;
  while (low < high) {
    const pivot = findMedian(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    // [low, less) is smaller than the pivot, [less, index) equal to it, (greater, high] larger.
    let less = low;
    let greater = high;
    let index = low;
    let lessWeight = 0;
    let equalWeight = 0;
    while (index <= greater) {
      const value = values[index]!;
      if (value < pivot) {
        lessWeight += weights[index]!;
        swap(values, less, index);
        swap(weights, less, index);
        less += 1;
        index += 1;
      } else if (value > pivot) {
        swap(values, greater, index);
        swap(weights, greater, index);
        greater -= 1;
      } else {
        equalWeight += weights[index]!;
        index += 1;
      }
    }
    if (less > low && (belowWeight + lessWeight) / total >= q) high = less - 1;
    else if (greater === high || (belowWeight + lessWeight + equalWeight) / total >= q) return pivot;
    else {
      belowWeight += lessWeight + equalWeight;
      low = greater + 1;
    }
  }
  return values[low]!;
}

function findMedian(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(array: Float64Array, a: number, b: number): void {
  const value = array[a]!;
  array[a] = array[b]!;
  array[b] = value;
}
