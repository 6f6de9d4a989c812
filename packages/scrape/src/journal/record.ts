import type { Frame, Layout } from '@org/core';

/** The URLs of an endpoint, and what a source states about it. */
export interface JournalEndpoint {
  /** The URL that is scraped, which may be an alternative of the configured URL. */
  readonly url: string;
  /** The configured URL. */
  readonly configuredUrl: string;
  /** The identity of the process; absent if no source states it. */
  readonly identity?: string;
  /** The labels of the target; absent if it has none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A named point in time of a run, such as `profiling_start`. */
export interface JournalMark {
  readonly kind: string;
  /** Time in nanoseconds since 1970. */
  readonly atNs: bigint;
  /** Further data: JSON values and bigints. */
  readonly data?: unknown;
}

/** A record of a journal, as returned by the reader. `endpoint` is the index of an endpoint. */
export type JournalRecord =
  /** Describes the run. */
  | { readonly kind: 'run'; readonly run: unknown }
  /** Adds an endpoint, or changes its URL or its labels. All records of an endpoint have the same layout object. */
  | {
      readonly kind: 'endpoint';
      readonly endpoint: number;
      readonly layout: Layout;
      readonly info: JournalEndpoint;
    }
  /** Adds series to an endpoint's layout. */
  | { readonly kind: 'series'; readonly endpoint: number; readonly layout: Layout }
  /** Adds a frame. Its values are valid until the next record is read. */
  | { readonly kind: 'frame'; readonly endpoint: number; readonly layout: Layout; readonly frame: Frame }
  | { readonly kind: 'mark'; readonly mark: JournalMark }
  /** A snapshot of an endpoint's health. */
  | { readonly kind: 'health'; readonly endpoint: number; readonly health: unknown }
  /** Total number of frames that could not be written so far. */
  | { readonly kind: 'gap'; readonly missedFrames: number }
  /** The run ended normally. */
  | { readonly kind: 'end' };
