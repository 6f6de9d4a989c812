import type { Fetched } from '../http/exchange.ts';
import { DurationSketch } from './durationSketch.ts';

/** What the scrapes of an endpoint cost its server and the network. */
export class ScrapeCost {
  /** From the request to the last byte: of scrapes that gave data, and of those that the time limit ended. */
  readonly durations: DurationSketch = new DurationSketch();
  /** Scrapes that gave data. */
  scrapes = 0;
  /** Bytes of their bodies, as transferred and decoded. */
  encodedBytes = 0;
  decodedBytes = 0;

  /** Takes an exchange that gave data or ran out of time. */
  add({ durationMs, encodedBytes, body }: Fetched): void {
    this.durations.add(durationMs);
    if (!body) return;
    this.scrapes++;
    this.encodedBytes += encodedBytes;
    this.decodedBytes += body.length;
  }
}
