import type { EndpointStore } from '@org/core';

/** The samples read from an export, by endpoint URL. */
export interface ExportedSamples {
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /** Times of the scrapes that are tagged as profiling; absent if the scrapes have no tags. */
  readonly profilingScrapesNs?: ReadonlyMap<string, ReadonlySet<bigint>> | undefined;
  /** The labels of the targets; absent if the samples do not contain them. */
  readonly targetLabels?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined;
}
