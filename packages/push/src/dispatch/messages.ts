import type { Batch, Point, RunIdentity } from '../metrics/batch.ts';
import { METRICS, type MetricDefinition, type MetricKey } from '../metrics/definition.ts';
import type { Receiver, ReceiverDelivery } from './dispatcher.ts';

/** The receivers and the state that a thread is started with. */
export interface ThreadTask {
  readonly receivers: readonly Receiver[];
  /** Version of Servelens. */
  readonly version: string;
  /** Number of readings that the thread has handled, in shared memory. */
  readonly handled: Int32Array;
}

/** A message to the thread. */
export type ToThread =
  | { readonly type: 'add'; readonly batch: BatchMessage }
  | { readonly type: 'end_series'; readonly run: RunIdentity; readonly timeMs: number }
  | ({ readonly type: 'statistics'; readonly id: number } & StatisticsFacts)
  | { readonly type: 'part'; readonly id: number; readonly part: number; readonly result: PartResult }
  | { readonly type: 'close'; readonly timeoutMs: number };

/** A message from the thread. */
export type FromThread =
  /** Requests a part of the statistics of a run. */
  | { readonly type: 'read_part'; readonly id: number; readonly part: number }
  /** No receiver needs the statistics any longer. */
  | { readonly type: 'release'; readonly id: number }
  | { readonly type: 'closed'; readonly deliveries: readonly ReceiverDelivery[] };

/** The properties of statistics that are known before they are read. */
export interface StatisticsFacts {
  readonly run: RunIdentity;
  readonly timeMs: number;
  readonly points: number;
}

/** A part of the statistics of a run, its end if there is no batch, or why it cannot be read. */
export type PartResult = { readonly batch?: BatchMessage } | { readonly error: string };

/** A batch with the keys of its metrics instead of their definitions. */
export type BatchMessage = Omit<Batch, 'families'> & {
  readonly families: readonly { readonly metric: MetricKey; readonly points: readonly Point[] }[];
};

const KEYS: ReadonlyMap<MetricDefinition, MetricKey> = new Map(
  Object.entries(METRICS).map(([key, definition]) => [definition, key as MetricKey]),
);

/** Converts a batch to a message. */
export function toMessage(batch: Batch): BatchMessage {
  const families = batch.families.map(({ definition, points }) => ({
    metric: KEYS.get(definition)!,
    points,
  }));
  return { ...batch, families };
}

/** Converts a message to a batch. */
export function fromMessage(message: BatchMessage): Batch {
  const families = message.families.map(({ metric, points }) => ({ definition: METRICS[metric], points }));
  return { ...message, families };
}
