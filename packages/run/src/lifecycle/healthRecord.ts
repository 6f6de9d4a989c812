import type { CostRecord, HealthRecord } from '@org/record';
import type { Collector, Endpoint } from '@org/scrape';

/** Converts the health of an endpoint to its form in the journal and the exports. */
export function toHealthRecord(endpoint: Endpoint, collector: Collector): HealthRecord {
  const { health } = endpoint;
  const lastOutage = health.lastOutage;
  return {
    status: health.displayStatus,
    last_error: lastOutage?.message ?? null,
    ...(lastOutage ? { last_error_reason: lastOutage.reason } : {}),
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
    resets: health.resets.map(({ atNs, previousNs, counters, hasRestarted }) => ({
      at_ns: atNs,
      previous_ns: previousNs,
      counters,
      ...(hasRestarted ? { process_restarted: true } : {}),
    })),
    resets_omitted: health.furtherResets,
    address_changes: health.addressChanges.map(({ atNs, from, to }) => ({ at_ns: atNs, from, to })),
    address_changes_omitted: health.furtherAddressChanges,
    unsupported: [...health.unsupported],
    ...(health.addedNs === undefined ? {} : { added_ns: health.addedNs }),
    ...(health.removedNs === undefined ? {} : { removed_ns: health.removedNs }),
    ...toAbsences(health),
    cost: toCostRecord(endpoint, collector),
  };
}

function toAbsences({ absences, furtherAbsences }: Endpoint['health']): Partial<HealthRecord> {
  if (absences.length === 0) return {};
  return {
    absences: absences.map(({ startNs, endNs }) => ({ start_ns: startNs, end_ns: endNs })),
    absences_omitted: furtherAbsences,
  };
}

function toCostRecord(endpoint: Endpoint, collector: Collector): CostRecord {
  const { durations, scrapes, encodedBytes, decodedBytes } = collector.getCost(endpoint);
  const interval = collector.getInterval(endpoint);
  const [p50, p99] = [durations.computeQuantile(0.5), durations.computeQuantile(0.99)];
  return {
    ...(p50 === undefined ? {} : { scrape_latency_p50_ms: roundMs(p50) }),
    ...(p99 === undefined ? {} : { scrape_latency_p99_ms: roundMs(p99) }),
    ...(scrapes === 0 ? {} : { bytes_per_scrape: encodedBytes / scrapes }),
    bytes_decoded: decodedBytes,
    ...(scrapes === 0 ? {} : { decoded_bytes_per_scrape: decodedBytes / scrapes }),
    configured_interval_ms: interval.baseMs,
    effective_interval_ms: interval.intervalMs,
    max_interval_ms: interval.maxMs,
    interval_backoffs: interval.increases,
  };
}

/** Rounds to four significant digits. Further digits are noise, because quantiles are accurate to 1%. */
function roundMs(ms: number): number {
  return Number(ms.toPrecision(4));
}
