import type { Effect } from './effect.ts';
import { DOCUMENT, hasFile, readTag } from './observations.ts';

const ROUND_TRIPS = 'profile_export_network_latency.jsonl';

/** The effects of options for the round trip to the servers. */
export const NETWORK_EFFECTS: Readonly<Record<string, Effect>> = {
  'network-latency-automatic': {
    observe: run => [hasFile(ROUND_TRIPS)(run), (readTag('network_rtt')(run) ?? 0) > 0],
    without: [false, false],
    with: [true, true],
  },
  'network-latency-mean': { observe: readTag('network_rtt'), without: undefined, with: 0.001 },
  'network-latency-ping-interval': {
    observe: ({ readJson }) => readJson(DOCUMENT).input_config.network_latency.ping_interval,
    without: 1,
    with: 0.02,
  },
};
