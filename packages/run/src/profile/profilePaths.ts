import { join } from 'node:path';

/** Paths of the client's exports. */
export interface ProfilePaths {
  readonly json: string;
  readonly csv: string;
  readonly jsonl: string;
  readonly slicesJson: string;
  readonly slicesCsv: string;
}

/**
 * Returns the paths of the client's exports. The names match AIPerf: `profile_export_aiperf.json` and
 * `profile_export.jsonl` by default, or `<prefix>.json`, `<prefix>.jsonl` and `<prefix>_timeslices.json` with
 * a prefix.
 */
export function getProfilePaths(folder: string, prefix: string | undefined): ProfilePaths {
  const stem = prefix ?? 'profile_export_aiperf';
  return {
    json: join(folder, `${stem}.json`),
    csv: join(folder, `${stem}.csv`),
    jsonl: join(folder, `${prefix ?? 'profile_export'}.jsonl`),
    slicesJson: join(folder, `${stem}_timeslices.json`),
    slicesCsv: join(folder, `${stem}_timeslices.csv`),
  };
}
