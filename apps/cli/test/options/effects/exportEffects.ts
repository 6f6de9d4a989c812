import type { Effect } from './effect.ts';
import { hasFile, hasLine, readTag, SERVER_DOCUMENT } from './observations.ts';

/** Lists the effects of options for exports and screens, with the server at `url`. */
export function listExportEffects(url: string): Readonly<Record<string, Effect>> {
  const wait = `--url ${url}/wait/1000`;
  return {
    'artifact-dir': { observe: ({ files }) => files.length > 0, without: true, with: false },
    'profile-export-prefix': { observe: hasFile('p.json'), without: false, with: true },
    'server-metrics-formats': { observe: hasFile('server_metrics_export.jsonl'), without: false, with: true },
    'slice-duration': {
      observe: hasFile('profile_export_aiperf_timeslices.json'),
      without: false,
      with: true,
    },
    window: {
      observe: ({ readJson }) => readJson(SERVER_DOCUMENT).summary.statistics_window,
      without: undefined,
      with: 'aiperf',
    },
    'percentile-method': {
      observe: ({ readJson }) => readJson(SERVER_DOCUMENT).servelens_config.percentile_method,
      without: 'moments',
      with: 'linear',
    },
    servers: {
      observe: ({ readJson }) => readJson(SERVER_DOCUMENT).servelens_config.server_definitions?.[0].name,
      without: undefined,
      with: 'Engine',
    },
    'json-layout': {
      observe: ({ readJson }) => Object.hasOwn(readJson(SERVER_DOCUMENT), 'schema_version'),
      without: true,
      with: false,
    },
    compat: {
      observe: ({ read }) => read('profile_export_aiperf.csv').includes('\r\n'),
      without: false,
      with: true,
    },
    'parquet-partition': { observe: hasFile(/\.parquet[\\/]|endpoint/), without: false, with: true },
    'keep-journal': { observe: hasFile('server_metrics.journal'), without: false, with: true },
    goodput: { observe: readTag('good_request_fraction'), without: undefined, with: 0 },
    'export-level': { observe: hasFile('profile_export_raw.jsonl'), without: false, with: true },
    'export-outputs-json': { observe: hasFile('outputs.json'), without: false, with: true },
    'auto-plot': { observe: hasFile('server_metrics_report.html'), without: false, with: true },
    'stats-interval': {
      requires: `${wait} --request-count 1 --ui none`,
      observe: hasLine(/profiling 0 s|profiling 1 s/),
      without: false,
      with: true,
    },
    'show-trace-timing': { observe: ({ out }) => /DNS/i.test(out), without: false, with: true },
  };
}
