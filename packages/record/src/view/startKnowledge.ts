import type { ScrapeEvidence, StartKnowledge } from '@org/core';
import type { EndpointRecord, HealthRecord } from '../runRecord.ts';

/**
 * Returns what is known about the starts of an endpoint's series, in addition to its frames: the conclusions of an
 * earlier export of the run or, for a record with all its scrapes, the outages and address changes of the endpoint.
 */
export function getStartKnowledge({ store, health, starts }: EndpointRecord): StartKnowledge {
  const { originNs } = store.timeline();
  const toOffset = (ns: bigint): number => Number(ns - originNs);
  const restartsNs = (starts?.resets ?? health.resets ?? [])
    .filter(reset => reset.process_restarted === true)
    .map(({ at_ns }) => toOffset(at_ns));
  if (starts) return { restartsNs, wasCreated: starts.wasCreated };
  // A journal without a health record has frames, but its endpoint's status is unknown.
  if (health.status === 'no_data') return { restartsNs };
  return { restartsNs, evidence: toEvidence(health, toOffset) };
}

function toEvidence(health: HealthRecord, toOffset: (ns: bigint) => number): ScrapeEvidence {
  const { outages, address_changes: addressChanges = [] } = health;
  const omitted = health.lines_dropped + health.outages_omitted + (health.address_changes_omitted ?? 0);
  return {
    outagesNs: outages.map(({ start_ns, end_ns }) => [
      toOffset(start_ns),
      end_ns === undefined ? Number.POSITIVE_INFINITY : toOffset(end_ns),
    ]),
    addressChangesNs: addressChanges.map(({ at_ns }) => toOffset(at_ns)),
    isComplete: omitted === 0,
  };
}
