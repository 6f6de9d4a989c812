import type { RecordingServer } from '../../support/recordingServer.ts';
import type { Effect } from './effect.ts';
import { DOCUMENT, hasLine, readErrors, readScrapeHeader, SERVER_DOCUMENT } from './observations.ts';

/** Lists the effects of options for server metrics and connections, with the server. */
export function listScrapeEffects(server: RecordingServer): Readonly<Record<string, Effect>> {
  const wait = `--url ${server.url}/wait/1000`;
  const tls = `--url ${server.tlsUrl} --request-count 1`;
  return {
    'server-metrics': {
      words: `--server-metrics ${server.url}/other/metrics`,
      observe: ({ scrapes }) => scrapes.some(({ path }) => path === '/other/metrics'),
      without: false,
      with: true,
    },
    'no-server-metrics': { observe: ({ scrapes }) => scrapes.length > 0, without: true, with: false },
    'require-server-metrics': {
      requires: `--server-metrics ${server.url}/silent/metrics`,
      observe: ({ code }) => code,
      without: 0,
      with: 1,
    },
    'gpu-telemetry': {
      observe: ({ readJson }) => readJson(DOCUMENT).input_config.gpu_telemetry.urls,
      without: undefined,
      with: ['http://127.0.0.1:9/gpus/metrics'],
    },
    'no-gpu-telemetry': {
      observe: ({ readJson }) => readJson(DOCUMENT).input_config.gpu_telemetry.enabled,
      without: true,
      with: false,
    },
    gpus: {
      observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.gpus,
      without: undefined,
      with: ['0'],
    },
    'gpu-map': {
      words: `--gpu-map ${new URL(server.url).host}=0`,
      observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.gpu_map,
      without: undefined,
      with: [`${new URL(server.url).host}=0`],
    },
    'server-metrics-header': { observe: readScrapeHeader('x-scrape'), without: undefined, with: '1' },
    config: {
      observe: ({ scrapes }) => scrapes.some(({ path }) => path === '/configured/metrics'),
      without: false,
      with: true,
    },
    'bearer-token-file': {
      observe: readScrapeHeader('authorization'),
      without: undefined,
      with: 'Bearer secret-token',
    },
    'basic-auth-file': {
      observe: readScrapeHeader('authorization'),
      without: undefined,
      with: `Basic ${btoa('user:password')}`,
    },
    limit: {
      observe: ({ readJson }) =>
        Object.values<{ last_error_reason?: string }>(readJson(SERVER_DOCUMENT).summary.endpoint_info)[0]!
          .last_error_reason,
      without: undefined,
      with: 'too_many_samples',
    },
    compressed: {
      observe: ({ scrapes }) => /gzip/.test(String(scrapes[0]!.headers['accept-encoding'])),
      without: false,
      with: true,
    },
    settle: { observe: hasLine(/counters stopped changing/), without: false, with: true },
    'ca-file': { requires: tls, observe: readErrors, without: ['TlsError'], with: [] },
    'cert-file': {
      requires: `${tls} --insecure`,
      observe: ({ requests }) => requests[0]!.certificate,
      without: undefined,
      with: 'localhost',
    },
    'key-file': {
      requires: `${tls} --insecure`,
      observe: ({ requests }) => requests[0]!.certificate,
      without: undefined,
      with: 'localhost',
    },
    insecure: { requires: tls, observe: readErrors, without: ['TlsError'], with: [] },
    quiet: { observe: hasLine(/INFO/), without: true, with: false },
    live: {
      requires: `${wait} --request-count 1`,
      observe: ({ err }) => err.includes('\u001B['),
      without: false,
      with: true,
    },
  };
}
