/** Returns the earliest of several times. */
export function findEarliest(times: readonly bigint[]): bigint {
  return sortTimes(times)[0]!;
}

/** Returns the latest of several times. */
export function findLatest(times: readonly bigint[]): bigint {
  return sortTimes(times).at(-1)!;
}

function sortTimes(times: readonly bigint[]): bigint[] {
  return [...times].sort((a, b) => (a < b ? -1 : 1));
}
