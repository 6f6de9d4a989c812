import type { OptionSamples } from './optionSamples.ts';

/** Options for the round trip to the servers. */
export const NETWORK_SAMPLES: OptionSamples = {
  'network-latency-automatic': { words: '--network-latency-automatic' },
  'network-latency-mean': { words: '--network-latency-mean 0.001' },
  'network-latency-ping-interval': {
    words: '--network-latency-ping-interval 0.02',
    requires: '--network-latency-automatic',
  },
};
