import { assignGpus } from '../assignment/assignGpus.ts';
import type { GpuMapEntry } from '../assignment/gpuMap.ts';
import type { GpuHistory, GpuSeries } from '../history.ts';
import { computeEnergy, listDistinctGpus } from './energy.ts';
import type { Window } from './window.ts';

/** The energy of the GPUs of one server. */
export interface ServerEnergy {
  /** URL of the metrics endpoint of the server. */
  readonly url: string;
  readonly gpus: readonly GpuSeries[];
  /** Undefined if the energy of a GPU is unknown. */
  readonly joules: number | undefined;
  readonly outputTokens: number;
}

/** The energy of each server, and limitations of the figures as sentences. */
export interface ServerEnergies {
  readonly servers: readonly ServerEnergy[];
  readonly notes: readonly string[];
}

export interface ServerEnergyOptions {
  readonly history: GpuHistory;
  /** The profiling phase. */
  readonly window: Window;
  /** Output tokens that each server counted in the phase, by the URL of its metrics endpoint. */
  readonly outputTokens: ReadonlyMap<string, number>;
  /** The GPUs of each server, as the user states them; empty to assign GPUs by host. */
  readonly map: readonly GpuMapEntry[];
}

/** Divides the energy of the GPUs among servers, as far as it is known which server uses which GPU. */
export function computeServerEnergies(options: ServerEnergyOptions): ServerEnergies {
  const { history, window, outputTokens, map } = options;
  const gpus = listDistinctGpus(history);
  if (gpus.length === 0) return { servers: [], notes: [] };
  const migNotes = gpus.flatMap(describeMig);
  if (outputTokens.size === 0) {
    const note = 'No server counts its output tokens, so the energy is not divided among servers.';
    return { servers: [], notes: [...migNotes, note] };
  }
  const { byServer, notes } = assignGpus(gpus, [...outputTokens.keys()], map);
  const servers = [...byServer].map(([url, assigned]) => ({
    url,
    gpus: assigned,
    joules: computeEnergy(assigned, window)?.joules,
    outputTokens: outputTokens.get(url)!,
  }));
  return { servers, notes: [...migNotes, ...notes] };
}

function describeMig({ gpu: { index, hostname, migInstances } }: GpuSeries): string[] {
  if (migInstances === undefined) return [];
  const name = hostname === undefined ? `GPU ${index}` : `GPU ${index} of ${hostname}`;
  const instances = migInstances === 1 ? 'a MIG instance' : `${migInstances} MIG instances`;
  return [
    `${name} is divided into ${instances}, whose energy is not measured: the energy of the whole GPU counts.`,
  ];
}
