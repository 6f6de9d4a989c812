import type { ServerClock } from '@org/formats';
import { type RequestRecord, toWallNs } from '@org/loadgen';

/** Resolution of a Date header, in ns. */
const SECOND_NS = 1_000_000_000n;

/** Bounds of a server's clock minus the clock of this machine, in ns. */
interface Bounds {
  minNs: bigint;
  maxNs: bigint;
  responses: number;
}

/** The parts of a request that bound the clock of its server. */
export type DatedRequest = Pick<RequestRecord, 'url' | 'startNs' | 'serverTimeMs'> & {
  readonly trace: Pick<RequestRecord['trace'], 'firstByteNs'>;
};

/**
 * Bounds the clocks of servers with the Date headers of their responses. A header is written after its request was sent
 * and before its response arrived, and is rounded down to a second. The bounds of many responses at different fractions of
 * a second are close to each other.
 */
export class ClockBounds {
  readonly #bounds = new Map<string, Bounds>();

  /** Adds a request. `originNs` is the wall time that its times are relative to, in ns since 1970. */
  add({ url, startNs, serverTimeMs, trace: { firstByteNs } }: DatedRequest, originNs: bigint): void {
    if (serverTimeMs === undefined || firstByteNs === undefined) return;
    const serverNs = BigInt(serverTimeMs) * 1_000_000n;
    const minNs = serverNs - toWallNs(originNs, firstByteNs);
    const maxNs = serverNs + SECOND_NS - toWallNs(originNs, startNs);
    const bounds = this.#bounds.get(url);
    if (!bounds) {
      this.#bounds.set(url, { minNs, maxNs, responses: 1 });
      return;
    }
    if (minNs > bounds.minNs) bounds.minNs = minNs;
    if (maxNs < bounds.maxNs) bounds.maxNs = maxNs;
    bounds.responses += 1;
  }

  /** Lists the bounds by URL. */
  list(): ServerClock[] {
    return [...this.#bounds].map(([url, { minNs, maxNs, responses }]) => ({
      url,
      min_offset_ms: Number(minNs) / 1e6,
      max_offset_ms: Number(maxNs) / 1e6,
      responses,
    }));
  }
}
