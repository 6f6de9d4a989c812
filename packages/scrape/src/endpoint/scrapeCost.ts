import type { Fetched } from '../http/exchange.ts';
import { DurationSketch } from './durationSketch.ts';

/** The cost of an endpoint's scrapes for its server and the network. */
export class ScrapeCost {
  /** Durations from the request to the last byte, of successful scrapes and timeouts. */
  readonly durations: DurationSketch = new DurationSketch();
  /** Number of successful scrapes. */
  scrapes = 0;
  /** Total sizes of their bodies, as transferred and decoded. */
  encodedBytes = 0;
  decodedBytes = 0;

  /** Adds a successful or timed-out exchange. */
  add({ durationMs, encodedBytes, body }: Fetched): void {
    this.durations.add(durationMs);
    if (!body) return;
    this.scrapes++;
    this.encodedBytes += encodedBytes;
    this.decodedBytes += body.length;
  }
}
