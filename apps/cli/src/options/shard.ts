import { type OptionTable, option } from '@org/terminal/program';

/** Options that divide a load among several processes. */
export const SHARD_OPTIONS: OptionTable = {
  shard: option(
    'I/N',
    'Send shard I of N of the load, with I from 0; start N processes with the same options and --random-seed, and join their runs with servelens merge',
  ),
  'start-at': option(
    'TIME',
    'Time to start profiling, the same for all shards: ISO 8601 with a time zone, such as 2026-11-28T14:00:00Z',
    { defaultText: 'when the run is ready' },
  ),
};

/** The option that divides endpoints among several processes. */
export const SHARDED_ENDPOINTS_OPTION: OptionTable = {
  shard: option(
    'I/N',
    'Scrape only part I of the endpoints, from 0, of N processes with the same options; servelens merge joins their runs',
  ),
};
