import { flag, type OptionTable, option } from '@org/terminal/program';

/** Options for the round trip between the client and the servers. */
export const NETWORK_OPTIONS: OptionTable = {
  'network-latency-automatic': flag(
    'Measure the round trip to the servers during profiling, and add latencies without it (network_adjusted_*)',
  ),
  'network-latency-mean': option('MS', 'Round trip in milliseconds, instead of a measured one'),
  'network-latency-ping-interval': option(
    'SECONDS',
    'Time in seconds between measurements of the round trip',
    {
      defaultText: '1',
    },
  ),
};
