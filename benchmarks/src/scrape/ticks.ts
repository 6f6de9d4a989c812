/** How well a scraper kept its interval, as the server of the bodies saw it. */
export interface TickFigures {
  /** Requests in the window. */
  readonly scrapes: number;
  /** Ticks of all endpoints in the window, and how many of them had a request. */
  readonly ticks: number;
  readonly met: number;
  /** How long after its tick a request came, in ms. */
  readonly p50LatenessMs: number;
  readonly p99LatenessMs: number;
  readonly maxLatenessMs: number;
}

/**
 * Holds the requests of each endpoint against a grid. `arrivals` are ms, by endpoint.
 *
 * Nobody tells the server where an endpoint's grid lies: it is laid through its most punctual request, so that the others
 * are late by what lies between. A tick is met when a request came at it and before the next one.
 */
export function tickFigures(arrivals: readonly (readonly number[])[], intervalMs: number): TickFigures {
  let ticks = 0;
  let met = 0;
  const lateness: number[] = [];
  for (const times of arrivals) {
    if (times.length === 0) continue;
    const origin = gridOf(times, intervalMs);
    const numbers = times.map(time => Math.floor((time - origin) / intervalMs + 1e-6));
    times.forEach((time, index) => {
      lateness.push(Math.max(0, time - origin - numbers[index]! * intervalMs));
    });
    ticks += numbers.at(-1)! - numbers[0]! + 1;
    met += new Set(numbers).size;
  }
  lateness.sort((a, b) => a - b);
  const at = (share: number): number =>
    lateness[Math.min(lateness.length - 1, Math.floor(lateness.length * share))] ?? Number.NaN;
  const scrapes = lateness.length;
  return { scrapes, ticks, met, p50LatenessMs: at(0.5), p99LatenessMs: at(0.99), maxLatenessMs: at(1) };
}

/** The place of the grid within an interval: that of the request which came soonest behind its tick. */
function gridOf(times: readonly number[], intervalMs: number): number {
  const first = times[0]!;
  let earliest = 0;
  for (const time of times) {
    const steps = Math.round((time - first) / intervalMs);
    earliest = Math.min(earliest, time - first - steps * intervalMs);
  }
  return first + earliest;
}
