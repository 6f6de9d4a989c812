import type { ObservedRun } from '../../support/observedRun.ts';
import type { Effect } from './effect.ts';

const listPaths = ({ requests }: ObservedRun): string[] => requests.map(({ path }) => path);

/** Lists the effects of options that prepare servers, with the server at `url`. */
export function listPreparationEffects(url: string): Readonly<Record<string, Effect>> {
  return {
    'wait-for-model-timeout': { observe: ({ requests }) => requests.length, without: 10, with: 11 },
    'wait-for-model-mode': {
      // The server has no list of models.
      requires: `--url ${url}/silent --wait-for-model-timeout 5`,
      observe: ({ requests, scrapes }) => [
        requests.length,
        scrapes.some(({ path }) => path === '/silent/v1/models'),
      ],
      without: [11, false],
      with: [10, true],
    },
    'wait-for-model-interval': {
      requires: `--url ${url}/fail --wait-for-model-timeout 3`,
      observe: ({ code, requests }) => [code, requests.length > 1],
      without: [1, false],
      with: [1, true],
    },
    'reset-kv-cache': {
      observe: run => listPaths(run)[0],
      without: '/v1/chat/completions',
      with: '/reset_prefix_cache',
    },
    'reset-kv-cache-path': {
      observe: run => listPaths(run)[0],
      without: '/v1/chat/completions',
      with: '/reset',
    },
    'reset-kv-cache-timeout-seconds': {
      requires: '--reset-kv-cache',
      observe: ({ readJson }) =>
        readJson('profile_export_aiperf.json').input_config.endpoint.reset_kv_cache.timeout_seconds,
      without: 30,
      with: 7,
    },
    'server-profiler': {
      requires: '--warmup-request-count 1 --request-count 1',
      observe: listPaths,
      without: ['/v1/chat/completions', '/v1/chat/completions'],
      with: ['/v1/chat/completions', '/start_profile', '/v1/chat/completions', '/stop_profile'],
    },
    'server-profiler-start-path': {
      requires: '--server-profiler',
      observe: run => listPaths(run)[0],
      without: '/start_profile',
      with: '/start',
    },
    'server-profiler-stop-path': {
      requires: '--server-profiler',
      observe: run => listPaths(run).at(-1),
      without: '/stop_profile',
      with: '/stop',
    },
    'server-profiler-timeout-seconds': {
      requires: '--server-profiler-start-path /wait/1000',
      // The run ends before its first request.
      observe: ({ code, requests, files }) => [code, requests.length, files.length > 0],
      without: [0, 12, true],
      with: [1, 1, false],
    },
  };
}
