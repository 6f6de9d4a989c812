import type { ProfileRecord } from '../generated/profileRecord.ts';

/**
 * Reports whether a line of profile_export.jsonl is a request of the warm-up. The results of a run do not include
 * such requests.
 */
export function isWarmupRecord({ metadata }: Pick<ProfileRecord, 'metadata'>): boolean {
  return metadata.benchmark_phase === 'warmup';
}
