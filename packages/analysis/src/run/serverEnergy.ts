import type { ProfileExport } from '@org/formats';
import { CLIENT_ENDPOINT } from './clientMetrics.ts';
import type { RunFamily } from './series.ts';

/** The energy of each server, as in exports. */
export type GpuServers = NonNullable<ProfileExport['gpu_servers']>;

/** The families of servers' energy: the field of a server, the unit and the description. */
const FAMILIES = [
  {
    name: 'server_gpu_energy',
    field: 'energy_joules',
    unit: 'J',
    description: 'Energy of the GPUs of a server in the profiling phase.',
  },
  {
    name: 'server_energy_per_output_token',
    field: 'energy_per_output_token',
    unit: 'mJ/token',
    description: 'Energy of the GPUs of a server per output token of this server.',
  },
  {
    name: 'server_output_token_throughput_per_gpu',
    field: 'output_token_throughput_per_gpu',
    unit: 'tokens/sec/gpu',
    description: 'Output tokens of a server per second and GPU.',
  },
] as const;

/** Names of the families. */
export const SERVER_ENERGY_NAMES: ReadonlySet<string> = new Set(FAMILIES.map(({ name }) => name));

/**
 * Converts the energy of several servers to families with a series for each server, which its label `server` names. A single
 * server has the energy of the run.
 *
 * @param names names of servers by the URL of their metrics endpoint
 */
export function toServerEnergyFamilies(servers: GpuServers, names: ReadonlyMap<string, string>): RunFamily[] {
  if (servers.length < 2) return [];
  return FAMILIES.flatMap(({ name, field, unit, description }) => {
    const series = servers.flatMap(server => {
      const value = server[field];
      if (value === undefined) return [];
      const { endpoint_url: url } = server;
      const labels = { server: names.get(url) ?? url };
      const common = { name, type: 'client' as const, unit, endpointUrl: CLIENT_ENDPOINT };
      return [{ ...common, endpoint: CLIENT_ENDPOINT, labels, stats: { avg: value }, slices: [] }];
    });
    return series.length === 0 ? [] : [{ name, type: 'client' as const, unit, description, series }];
  });
}
