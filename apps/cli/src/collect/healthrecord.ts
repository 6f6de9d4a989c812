import type { Endpoint } from '@org/scrape';
import type { HealthRecord } from '../run.ts';

/** How an endpoint fares, for the journal and the exports. */
export function healthRecord({ health }: Endpoint): HealthRecord {
  const last = health.lastOutage;
  return {
    status: health.shownStatus,
    last_error: last?.message ?? null,
    ...(last ? { last_error_reason: last.reason } : {}),
    scrapes_failed: health.failedScrapes,
    ...(health.firstFailureNs === undefined ? {} : { first_failure_ns: health.firstFailureNs }),
    ...(health.lastFailureNs === undefined ? {} : { last_failure_ns: health.lastFailureNs }),
    scrapes_late: health.lateScrapes,
    samples_dropped: health.droppedSamples,
    lines_dropped: health.badLines,
    bytes: health.bytes,
    outages: health.outages.map(({ startNs, endNs, scrapes, reason, message }) => ({
      start_ns: startNs,
      ...(endNs === undefined ? {} : { end_ns: endNs }),
      scrapes,
      reason,
      message,
    })),
    outages_omitted: health.furtherOutages,
    resets: health.resets.map(({ atNs, previousNs, counters }) => ({
      at_ns: atNs,
      previous_ns: previousNs,
      counters,
    })),
    resets_omitted: health.furtherResets,
    address_changes: health.addressChanges.map(({ atNs, from, to }) => ({ at_ns: atNs, from, to })),
    address_changes_omitted: health.furtherAddressChanges,
    unsupported: [...health.unsupported],
  };
}
