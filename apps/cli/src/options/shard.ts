import { type OptionTable, option } from '@org/terminal/program';

/** Options that divide a load among several processes. */
export const SHARD_OPTIONS: OptionTable = {
  shard: option(
    'I/N',
    'Send only part I of the load, from 0, of N processes with the same options and --random-seed; servelens merge joins their runs',
  ),
  'start-at': option(
    'TIME',
    'Start profiling at this time in ISO 8601 with a time zone, such as 2026-11-28T14:00:00Z, the same for all shards',
    { defaultText: 'when the run is ready' },
  ),
};

/** The option that divides endpoints among several processes. */
export const SHARDED_ENDPOINTS_OPTION: OptionTable = {
  shard: option(
    'I/N',
    'Scrape only every Nth endpoint of the list, starting with number I, from 0; servelens merge joins the runs of N processes',
  ),
};
