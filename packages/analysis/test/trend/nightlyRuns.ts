import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNormal } from './series.ts';

/** A run to write. */
export interface NightlyRun {
  readonly name: string;
  /** The number of the day when the run starts; the position in the list by default. */
  readonly day?: number;
  /** The mean time between tokens in ms; 10 by default, with a noise of 1%. */
  readonly itl?: number;
  readonly version?: string;
  readonly rate?: number;
  readonly gpu?: string;
  readonly wasCancelled?: boolean;
  /** Further fields of the profile export, or replacements. */
  readonly fields?: object;
}

const DAY_MS = 86_400_000;

/** Writes the profile exports of runs, each in a folder. */
export function writeNightlyRuns(folder: string, runs: readonly NightlyRun[]): void {
  const normal = createNormal(42);
  for (const [i, run] of runs.entries()) {
    const { name, day = i, itl = normal(10, 0.1), version = '0.1.0', rate = 4, gpu, fields } = run;
    mkdirSync(join(folder, name), { recursive: true });
    const start = new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
    const profile = {
      schema_version: '1.3',
      servelens_version: version,
      benchmark_id: `run-${day}`,
      inter_token_latency: {
        unit: 'ms',
        avg: itl,
        p25: itl - 1,
        p75: itl + 1,
        p99: 2 * itl,
        std: 1,
        count: 50,
      },
      request_throughput: { unit: 'requests/sec', avg: normal(rate, 0.05) },
      input_config: {
        models: { items: [{ name: 'm' }] },
        phases: [{ name: 'profiling', kind: 'profiling', type: 'poisson', rate, duration: 60 }],
      },
      start_time: start.toISOString(),
      end_time: new Date(start.getTime() + 60_000).toISOString(),
      was_cancelled: run.wasCancelled ?? false,
      ...(gpu !== undefined && { telemetry_data: createTelemetry(gpu) }),
      ...fields,
    };
    writeFileSync(join(folder, name, 'profile_export_aiperf.json'), JSON.stringify(profile));
  }
}

function createTelemetry(name: string): object {
  const gpu = { gpu_index: 0, gpu_name: name, gpu_uuid: 'GPU-1', metrics: {} };
  return { summary: {}, endpoints: { 'localhost/metrics': { gpus: { gpu_0: gpu } } } };
}

/** Returns runs of consecutive days with the names night-01, night-02 and so on. */
export function listNights(
  count: number,
  create: (index: number) => Partial<NightlyRun> = () => ({}),
): NightlyRun[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `night-${String(i + 1).padStart(2, '0')}`,
    ...create(i),
  }));
}
