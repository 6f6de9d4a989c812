/** The state of a watched run, for the bar at the top of its page. */
export interface LiveStatus {
  /** One or two sentences. */
  readonly text: string;
  /** The state of the run: active, without its process, or ended. */
  readonly kind: 'running' | 'silent' | 'ended';
  /** The age of the shown data when the status was sent, in milliseconds. */
  readonly ageMs: number;
  /** The age of the oldest statistics of servers, compared with the other data, in milliseconds. */
  readonly statisticsAgeMs?: number;
  /** The time without a write of the run when its files were read, in milliseconds. */
  readonly silentMs: number;
  /** The time between two updates, in milliseconds. */
  readonly intervalMs: number;
  /** True if updates have to wait for a CPU, so that they are less frequent. */
  readonly isBusy: boolean;
  /** The CPU time of the recent updates divided by their active time, from 0 to 1. */
  readonly cpuAvailability: number;
  /** True if no further update follows, because the server of the page stops. */
  readonly isFinal: boolean;
}

/** An update of the page: the parts that changed since the version that the browser has. */
export interface LiveUpdate {
  readonly version: number;
  readonly status: LiveStatus;
  /** The IDs of all sections of the page, in order. */
  readonly order: readonly string[];
  /** The changed sections, as markup whose text is escaped. */
  readonly sections: Readonly<Record<string, string>>;
  /** The changed fields of the data of the page, as JSON; null for a field that no longer exists. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The data that the page of a watched run adds to the page of a run. */
export interface LivePageState {
  readonly version: number;
  readonly status: LiveStatus;
}
