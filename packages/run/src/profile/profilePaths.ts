import { join } from 'node:path';
import type { PhaseName } from './phasePosition.ts';

/** Paths of the client's exports. The last ones do not depend on the prefix. */
export interface ProfilePaths {
  readonly json: string;
  readonly csv: string;
  readonly jsonl: string;
  readonly slicesJson: string;
  readonly slicesCsv: string;
  /** Samples of GPUs. */
  readonly gpuTelemetry: string;
  /** Measurements of the round trip to the servers. */
  readonly networkLatency: string;
  /** Requests and responses as sent. */
  readonly raw: string;
  /** The result as printed on the terminal. */
  readonly console: string;
  readonly inputs: string;
  readonly outputs: string;
  /** Parts of `outputs`, during the run. */
  readonly outputFragments: string;
  readonly phaseManifest: string;
  readonly runConfig: string;
  /** Marks the results as complete. */
  readonly ready: string;
}

/**
 * Returns the paths of the client's exports. The names match AIPerf: `profile_export_aiperf.json` and
 * `profile_export.jsonl` by default, or `<prefix>.json`, `<prefix>.jsonl` and `<prefix>_timeslices.json` with
 * a prefix.
 */
export function getProfilePaths(folder: string, prefix: string | undefined): ProfilePaths {
  const stem = prefix ?? 'profile_export_aiperf';
  const shortStem = prefix ?? 'profile_export';
  return {
    json: join(folder, `${stem}.json`),
    csv: join(folder, `${stem}.csv`),
    jsonl: join(folder, `${shortStem}.jsonl`),
    slicesJson: join(folder, `${stem}_timeslices.json`),
    slicesCsv: join(folder, `${stem}_timeslices.csv`),
    gpuTelemetry: join(
      folder,
      prefix === undefined ? 'gpu_telemetry_export.jsonl' : `${prefix}_gpu_telemetry.jsonl`,
    ),
    networkLatency: join(folder, `${shortStem}_network_latency.jsonl`),
    raw: join(folder, `${shortStem}_raw.jsonl`),
    console: join(folder, `${shortStem}_console.txt`),
    inputs: join(folder, 'inputs.json'),
    outputs: join(folder, 'outputs.json'),
    outputFragments: join(folder, 'output_fragments.jsonl'),
    phaseManifest: join(folder, 'phase_manifest.json'),
    runConfig: join(folder, 'run_config.json'),
    ready: join(folder, '.aiperf_results_ready.json'),
  };
}

/** Paths of the exports of one phase. */
export interface PhasePaths {
  readonly json: string;
  readonly csv: string;
  readonly serverMetrics: string;
  readonly gpuTelemetry: string;
}

/** Returns the paths of the exports of a phase, which are only written for runs with a warm-up. */
export function getPhasePaths(folder: string, prefix: string | undefined, phase: PhaseName): PhasePaths {
  const phaseFolder = join(folder, 'phases', phase);
  const { json, csv } = getProfilePaths(phaseFolder, prefix);
  return {
    json,
    csv,
    serverMetrics: join(phaseFolder, 'server_metrics.json'),
    gpuTelemetry: join(phaseFolder, 'gpu_telemetry.json'),
  };
}
