import type { Batch, RunIdentity } from '../metrics/batch.ts';
import type { Statistics } from '../metrics/runStatistics.ts';
import type { Delivery } from '../send/sender.ts';
import type { PushTarget } from '../target.ts';

/** A receiver, without functions, so that it can be passed to a thread. */
export type Receiver = Pick<PushTarget, 'protocol' | 'url' | 'headers'>;

/** Numbers of accepted and lost values of a receiver. */
export interface ReceiverDelivery extends Delivery {
  /** The version of the protocol in use at the end, if the protocol has several. */
  readonly version?: string;
}

/** Sends values to all receivers. Only `close` waits for them. */
export interface Dispatcher {
  /** Adds a reading of live values. Series that are missing in it have ended. */
  add(batch: Batch): void;
  /** Ends all live series of a run. */
  endSeries(run: RunIdentity, timeMs: number): void;
  /** Adds the statistics of a run that has ended. */
  addStatistics(statistics: Statistics): void;
  /**
   * Sends the values that wait, and gives up on a receiver that has accepted and rejected nothing for `timeoutMs`. Returns the
   * results in the order of the receivers.
   */
  close(timeoutMs: number): Promise<readonly ReceiverDelivery[]>;
}
