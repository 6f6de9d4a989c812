import { computeQuantile } from '../measure/numbers.ts';

/** Punctuality of a scraper, as measured by the server. */
export interface TickFigures {
  /** Number of requests in the window. */
  readonly scrapes: number;
  /** Number of ticks of all endpoints in the window. */
  readonly ticks: number;
  /** Number of ticks with a request. */
  readonly met: number;
  /** Delay of requests after their ticks, in milliseconds. */
  readonly p50LatenessMs: number;
  readonly p99LatenessMs: number;
  readonly maxLatenessMs: number;
}

/**
 * Compares the requests of each endpoint with a grid of ticks, one per scrape interval. `arrivals` contains the
 * arrival times of each endpoint, in milliseconds and ascending order.
 *
 * The times at which a scraper intends to scrape are unknown. The grid of an endpoint is therefore aligned with
 * the most punctual request, and the lateness of other requests is relative to this grid. A tick is met if a
 * request arrives between this tick and the next one.
 */
export function computeTickFigures(
  arrivals: readonly (readonly number[])[],
  intervalMs: number,
): TickFigures {
  let ticks = 0;
  let met = 0;
  const lateness: number[] = [];
  for (const times of arrivals) {
    if (times.length === 0) continue;
    const origin = findGridOrigin(times, intervalMs);
    const tickNumbers = times.map(time => Math.floor((time - origin) / intervalMs + 1e-6));
    times.forEach((time, index) => {
      lateness.push(Math.max(0, time - origin - tickNumbers[index]! * intervalMs));
    });
    ticks += tickNumbers.at(-1)! - tickNumbers[0]! + 1;
    met += new Set(tickNumbers).size;
  }
  return {
    scrapes: lateness.length,
    ticks,
    met,
    p50LatenessMs: computeQuantile(lateness, 0.5),
    p99LatenessMs: computeQuantile(lateness, 0.99),
    maxLatenessMs: computeQuantile(lateness, 1),
  };
}

/** Returns the origin of the grid: the time of the most punctual request, shifted by whole intervals. */
function findGridOrigin(times: readonly number[], intervalMs: number): number {
  const firstTime = times[0]!;
  let earliest = 0;
  for (const time of times) {
    const intervals = Math.round((time - firstTime) / intervalMs);
    earliest = Math.min(earliest, time - firstTime - intervals * intervalMs);
  }
  return firstTime + earliest;
}
