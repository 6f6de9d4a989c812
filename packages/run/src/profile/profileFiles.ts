import { join } from 'node:path';

/** Where the exports of what the client measured go. */
export interface ProfileFiles {
  readonly json: string;
  readonly csv: string;
  readonly jsonl: string;
  readonly slicesJson: string;
  readonly slicesCsv: string;
}

/**
 * The names of AIPerf: `profile_export_aiperf.json` and `profile_export.jsonl`, or, with a prefix, `<prefix>.json`,
 * `<prefix>.jsonl` and `<prefix>_timeslices.json` (seed 002, "Custom file naming").
 */
export function profileFiles(folder: string, prefix: string | undefined): ProfileFiles {
  const stem = prefix ?? 'profile_export_aiperf';
  return {
    json: join(folder, `${stem}.json`),
    csv: join(folder, `${stem}.csv`),
    jsonl: join(folder, `${prefix ?? 'profile_export'}.jsonl`),
    slicesJson: join(folder, `${stem}_timeslices.json`),
    slicesCsv: join(folder, `${stem}_timeslices.csv`),
  };
}
