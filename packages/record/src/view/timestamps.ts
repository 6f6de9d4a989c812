const WORD = 2 ** 32;

/**
 * Returns Unix times in ns from times in ns since an origin. The times must be integers. The words of the results are
 * computed as numbers, because a conversion to BigInt takes longer than all other steps of a column.
 */
export function toTimestampsNs(timesNs: Float64Array, originNs: bigint): BigInt64Array {
  const timestamps = new BigInt64Array(timesNs.length);
  const words = new Int32Array(timestamps.buffer);
  const [low, high] = isLittleEndian ? [0, 1] : [1, 0];
  const originLow = Number(BigInt.asUintN(32, originNs));
  const originHigh = Number(originNs >> 32n);
  for (let at = 0; at < timesNs.length; at++) {
    const sum = originLow + timesNs[at]!;
    words[2 * at + low] = sum;
    words[2 * at + high] = originHigh + Math.floor(sum / WORD);
  }
  return timestamps;
}

const isLittleEndian = new Int32Array(BigInt64Array.of(1n).buffer)[0] === 1;
