import { Destination } from '../destination.ts';
import type { Batch, Family, RunIdentity } from '../metrics/batch.ts';
import { LiveSeries } from '../metrics/liveSeries.ts';
import type { Statistics } from '../metrics/runStatistics.ts';
import { EncodingCache } from '../send/encodingCache.ts';
import { StatisticsCursor } from '../send/statisticsCursor.ts';
import type { Dispatcher, Receiver, ReceiverDelivery } from './dispatcher.ts';

/** Encodes and sends values in this thread. Receivers of one protocol share the encoded values. */
export class LocalDispatcher implements Dispatcher {
  readonly #destinations: readonly Destination[];
  readonly #series = new LiveSeries();

  /** @param version version of Servelens */
  constructor(receivers: readonly Receiver[], version: string) {
    const encodings = new EncodingCache();
    this.#destinations = receivers.map(receiver => new Destination(receiver, version, encodings));
  }

  add(batch: Batch): void {
    this.#send(batch);
    this.#sendEnd(this.#series.update(batch.families), batch);
  }

  endSeries(run: RunIdentity, timeMs: number): void {
    this.#sendEnd(this.#series.end(), { run, timeMs });
  }

  addStatistics(statistics: Statistics): void {
    let open = this.#destinations.length;
    const release = (): void => {
      open -= 1;
      if (open === 0) statistics.release();
    };
    for (const { sender } of this.#destinations)
      sender.addStatistics(new StatisticsCursor(statistics, release));
  }

  close(timeoutMs: number): Promise<readonly ReceiverDelivery[]> {
    return Promise.all(this.#destinations.map(destination => destination.close(timeoutMs)));
  }

  #send(batch: Batch): void {
    for (const { sender } of this.#destinations) sender.add(batch);
  }

  /** Sends the last points of series that have ended. */
  #sendEnd(families: readonly Family[], { run, timeMs }: Pick<Batch, 'run' | 'timeMs'>): void {
    if (families.length > 0) this.#send({ run, timeMs, families, isEnd: true });
  }
}

/** Creates a dispatcher for programs that have nothing else to do. */
export function createLocalDispatcher(receivers: readonly Receiver[], version: string): Dispatcher {
  return new LocalDispatcher(receivers, version);
}
