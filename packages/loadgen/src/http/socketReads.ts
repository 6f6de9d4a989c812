import type { ArrivalClock } from '@org/core';
import type { RunClock } from '../clock.ts';

/** Arrival time of bytes, in ns since the run's origin. Final when all parts of the socket read have been dated. */
export interface ArrivalTime {
  atNs: number;
}

/**
 * Dates the parts of a response, such as the headers and each chunk. No part is dated before it arrived. If a
 * socket read consists of one part, it arrived before the event loop polled the socket. If a read consists of
 * several parts, the later ones may have arrived between the poll and the read. They are dated at the read, and
 * the first one with them, because the order in which they arrived within the read is unknown.
 */
export class SocketReads {
  readonly #clock: RunClock;
  readonly #arrivalClock: ArrivalClock;
  #bytesRead: number | undefined;
  #pollNs: number | undefined;
  #arrival: ArrivalTime = { atNs: Number.NaN };

  constructor(clock: RunClock, arrivalClock: ArrivalClock) {
    this.#clock = clock;
    this.#arrivalClock = arrivalClock;
  }

  /** Dates a part. `bytesRead` is the number of bytes read from the socket so far, which identifies the read. */
  date(bytesRead: number): ArrivalTime {
    if (bytesRead === this.#bytesRead) {
      this.#arrival.atNs = this.#clock.nowNs();
      return this.#arrival;
    }
    const pollNs = this.#arrivalClock.readPollNs();
    // A socket may be read several times per poll.
    const isFirstRead = pollNs !== this.#pollNs;
    this.#bytesRead = bytesRead;
    this.#pollNs = pollNs;
    this.#arrival = { atNs: isFirstRead ? pollNs : this.#clock.nowNs() };
    return this.#arrival;
  }
}
