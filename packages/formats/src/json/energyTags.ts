/** AIPerf's energy metrics without the platform at the start of their tags, and their units. */
const UNITS: Readonly<Record<string, string>> = {
  total_gpu_power: 'W',
  average_gpu_power: 'W',
  total_gpu_energy: 'J',
  output_tokens_per_joule: 'tokens/J',
  energy_per_output_token: 'mJ/token',
  energy_per_total_token: 'mJ/token',
  energy_per_request: 'joules/request',
  energy_per_user: 'joules/user',
  energy_delay_product: 'J*s',
  performance_per_watt: 'requests/sec/W',
  output_tps_per_watt: 'tokens/sec/W',
  goodput_per_watt: 'good-req/s/W',
};

/** AIPerf's display names of these metrics. The names are the same for all platforms. */
const NAMES: Readonly<Record<string, string>> = {
  total_gpu_power: 'Total GPU Power',
  average_gpu_power: 'Average GPU Power',
  total_gpu_energy: 'Total GPU Energy',
  output_tokens_per_joule: 'Output Tokens per Joule',
  energy_per_output_token: 'Energy per Output Token',
  energy_per_total_token: 'Energy per Total Token',
  energy_per_request: 'Energy per Request',
  energy_per_user: 'Energy per User',
  energy_delay_product: 'Energy Delay Product',
  performance_per_watt: 'Performance per Watt',
  output_tps_per_watt: 'Output Tokens per Second per Watt',
  goodput_per_watt: 'Goodput per Watt',
};

const PLATFORMS = ['nvidia', 'amd'] as const;

/** The unit of each energy metric, by tag. */
export const ENERGY_UNITS: Readonly<Record<string, string>> = Object.fromEntries(
  PLATFORMS.flatMap(platform => Object.entries(UNITS).map(([name, unit]) => [`${platform}_${name}`, unit])),
);

/** AIPerf's display name of each energy metric, by tag. */
export const ENERGY_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  PLATFORMS.flatMap(platform => Object.entries(NAMES).map(([name, text]) => [`${platform}_${name}`, text])),
);
