import { dirname, join } from 'node:path';
import { FormatError, fromPath, isSourceError, readPhaseGpuTelemetry } from '@org/formats/read';
import type { ClientMetrics } from './clientMetrics.ts';
import { isFolder } from './input.ts';
import type { GpuServers } from './serverEnergy.ts';

/** The energy metrics of a run without a load generator, whose tokens and requests the servers counted. */
export interface ServedEnergy {
  readonly metrics: ClientMetrics;
  readonly servers: GpuServers;
  /** Sentences on the source of the counts, or on a file that cannot be read. */
  readonly notes: readonly string[];
}

const NOTE = 'the energy per token and per request is based on the counts of the servers';

/** Reads the energy metrics of a run without a load generator from the folder of its files; undefined if it has none. */
export async function readServedEnergy(folder: string): Promise<ServedEnergy | undefined> {
  const path = join(folder, 'phases', 'profiling', 'gpu_telemetry.json');
  if (!(await isFolder(dirname(path)).catch(() => false))) return undefined;
  try {
    const {
      gpu_metrics: metrics,
      gpu_servers: servers = [],
      token_source: source,
    } = await readPhaseGpuTelemetry(fromPath(path));
    const notes = source === undefined ? [] : [NOTE];
    return metrics && { metrics: new Map(Object.entries(metrics)), servers, notes };
  } catch (error) {
    if (!(error instanceof FormatError) && !isSourceError(error)) throw error;
    const [problem] = (error as Error).message.split('\n');
    return { metrics: new Map(), servers: [], notes: [`the energy of GPUs is missing: ${problem}`] };
  }
}
