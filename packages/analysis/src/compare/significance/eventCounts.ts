/**
 * Returns the p-value of a number of events on one side, if there were none on the other side. Returns undefined if
 * both sides have events, or if neither has any. Counters are exact, so this needs no estimate of noise: under equal
 * rates, all events are on the same side with the probability of that side's share of time (the conditional test of
 * two Poisson counts; Przyborowski and Wilenski, Biometrika 31, 1940).
 *
 * @param totals the number of events of each run, on each side
 * @param seconds the duration of each run, on each side
 */
export function testEventCounts(
  totals: readonly [readonly number[], readonly number[]],
  seconds: readonly [readonly number[], readonly number[]],
): number | undefined {
  const hasNone = totals.map(side => side.every(total => total === 0));
  const hasEverywhere = totals.map(side => side.every(total => total > 0));
  const side = hasNone[0] && hasEverywhere[1] ? 1 : hasNone[1] && hasEverywhere[0] ? 0 : undefined;
  if (side === undefined) return undefined;
  const [events, time, allTime] = [totals[side], seconds[side], seconds.flat()].map(add) as [
    number,
    number,
    number,
  ];
  return Math.min(1, 2 * (time / allTime) ** events);
}

function add(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
