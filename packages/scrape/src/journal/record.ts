import type { Frame, Layout } from '@org/core';

/** Where an endpoint is. */
export interface JournalEndpoint {
  /** The URL whose data this is. */
  readonly url: string;
  /** The URL that was asked for. */
  readonly configuredUrl: string;
}

/** A moment of a run, such as `profiling_start`. */
export interface JournalMark {
  readonly kind: string;
  /** ns since 1970. */
  readonly atNs: bigint;
  /** More about it: anything that JSON can say, and bigints. */
  readonly data?: unknown;
}

/** One record of a journal, as it is read. Endpoints are told apart by their index. */
export type JournalRecord =
  /** What run it is. */
  | { readonly kind: 'run'; readonly run: unknown }
  /** An endpoint is new, or has another URL than before. Its layout is the same object in all its records. */
  | {
      readonly kind: 'endpoint';
      readonly endpoint: number;
      readonly layout: Layout;
      readonly info: JournalEndpoint;
    }
  /** An endpoint's layout has grown. */
  | { readonly kind: 'series'; readonly endpoint: number; readonly layout: Layout }
  /** A frame. Its values are valid until the next record is read. */
  | { readonly kind: 'frame'; readonly endpoint: number; readonly layout: Layout; readonly frame: Frame }
  | { readonly kind: 'mark'; readonly mark: JournalMark }
  /** How an endpoint had fared by then. */
  | { readonly kind: 'health'; readonly endpoint: number; readonly health: unknown }
  /** Frames that could not be written so far, in the whole run. */
  | { readonly kind: 'gap'; readonly missedFrames: number }
  /** The run ended in order. */
  | { readonly kind: 'end' };
