import { PROBE_MODES } from '@org/loadgen';
import { flag, type OptionTable, option } from '@org/terminal/program';

/** Options for requests that prepare the inference servers. They are not part of the load. */
export const PREPARATION_OPTIONS: OptionTable = {
  'wait-for-model-timeout': option(
    'SECONDS',
    'Time in seconds to wait until each model of each server is ready before the run',
    { defaultText: '0, do not wait' },
  ),
  'wait-for-model-mode': option(
    'MODE',
    'Request that shows that a model is ready: one token (inference), the list of models (models), or both',
    { choices: PROBE_MODES, defaultText: 'inference' },
  ),
  'wait-for-model-interval': option(
    'SECONDS',
    'Time in seconds between attempts of --wait-for-model-timeout',
    {
      defaultText: '5',
    },
  ),
  'reset-kv-cache': flag('Reset the KV cache of each server before each run'),
  'reset-kv-cache-path': option('PATH', 'URL path that resets the KV cache', {
    defaultText: '/reset_prefix_cache',
  }),
  'reset-kv-cache-timeout-seconds': option('SECONDS', 'Timeout in seconds of a reset of the KV cache', {
    defaultText: '30',
  }),
  'server-profiler': flag('Start the profiler of each server before profiling, and stop it after profiling'),
  'server-profiler-start-path': option('PATH', 'URL path that starts the profiler', {
    defaultText: '/start_profile',
  }),
  'server-profiler-stop-path': option('PATH', 'URL path that stops the profiler', {
    defaultText: '/stop_profile',
  }),
  'server-profiler-timeout-seconds': option(
    'SECONDS',
    'Timeout in seconds of starting and stopping the profiler',
    {
      defaultText: '30',
    },
  ),
};
