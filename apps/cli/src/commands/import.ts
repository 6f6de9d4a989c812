import { SERVERS_OPTION } from '@org/servers/option';
import { type Command, option, pickOptions, withDefaultText } from '@org/terminal/program';
import { CONNECTION_OPTIONS } from '../options/connection.ts';
import { LIST_FILES_OPTION, OUTPUT_OPTIONS } from '../options/output.ts';

/** `servelens import`. */
export const importCommand: Command = {
  arguments: [
    {
      name: 'source',
      placeholder: 'SOURCE',
      description: 'Base URL of a Prometheus-compatible API, folder of metrics pages, or JSONL export',
    },
  ],
  optionGroups: [
    {
      title: 'API',
      options: {
        match: option('SELECTOR', 'Selector of the series to import, such as \'{job="vllm"}\'', {
          many: 'repeat',
        }),
        from: option('TIME', 'Start of the time range', { defaultText: '1h' }),
        to: option('TIME', 'End of the time range', { defaultText: 'now' }),
        api: option('API', 'API to read samples from', {
          choices: ['auto', 'remote-read', 'victoria-metrics', 'query-range'],
          defaultText: 'auto: the first API that the server supports',
        }),
        step: option('DURATION', 'Step of range queries, which should be the scrape interval', {
          defaultText: '15s',
        }),
        'piece-duration': option('DURATION', 'Length of the time range of one request', {
          defaultText: '1h',
        }),
      },
    },
    {
      title: 'Metrics pages',
      options: {
        'page-time': option(
          'SOURCE',
          'Source of the time of each page: a header comment, the file name, or the modification time',
          {
            choices: ['header', 'name', 'mtime'],
            defaultText: 'the first one that a page has',
          },
        ),
      },
    },
    {
      title: 'Profiling phase',
      options: {
        'profiling-start': option('TIME', 'Start of the profiling phase, which statistics cover', {
          defaultText: 'first sample',
        }),
        'profiling-end': option('TIME', 'End of the profiling phase', { defaultText: 'last sample' }),
      },
    },
    {
      title: 'Connection',
      options: {
        header: {
          ...CONNECTION_OPTIONS.header!,
          description: "HTTP header to send with each request, such as the tenant: 'X-Scope-OrgID: team1'",
        },
        'bearer-token-file': {
          ...CONNECTION_OPTIONS['bearer-token-file']!,
          description: 'File with the bearer token',
        },
        'basic-auth-file': {
          ...CONNECTION_OPTIONS['basic-auth-file']!,
          description: 'File with user:password',
        },
        ...pickOptions(CONNECTION_OPTIONS, ['ca-file', 'cert-file', 'key-file', 'insecure']),
        timeout: option('SECONDS', 'Maximum time without data from the server, in seconds', {
          defaultText: '60',
        }),
      },
    },
    {
      title: 'Output',
      options: withDefaultText(
        pickOptions(OUTPUT_OPTIONS, [
          'artifact-dir',
          'server-metrics-formats',
          'slice-duration',
          'percentile-method',
          'json-layout',
          'parquet-partition',
          'memory-limit',
        ]),
        'artifact-dir',
        'artifacts/import-DATE-TIME',
      ),
    },
    { title: 'Servers', options: SERVERS_OPTION },
    { title: 'Display', options: LIST_FILES_OPTION },
  ],
  examples: [
    {
      command: `servelens import http://prometheus:9090 --match '{job="vllm"}' --from 2h`,
      description: 'Import the last two hours of a job',
    },
    {
      command: `servelens import https://mimir --match '{job="a"}' -H 'X-Scope-OrgID: team1'`,
      description: 'Import the last hour of a tenant',
    },
    {
      command: 'servelens import results/metrics/raw',
      description: 'Import a folder of metrics pages, such as those of llm-d-benchmark',
    },
    {
      command: 'servelens import server_metrics_export.jsonl',
      description: "Import AIPerf's JSONL export",
    },
  ],
  notes: [
    'TIME is a duration before now (2h, 30m), an RFC 3339 time (2026-11-21T08:15:30Z), Unix seconds, or now.',
    'An interrupted import continues if the command is repeated with the same options and --artifact-dir. Exports are written only if the whole range was read.',
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'an export could not be written'],
    ['2', 'invalid arguments, or the source cannot be imported'],
    ['128 + N', 'interrupted by signal N'],
  ],
  run: async (raw, context) => {
    const { runImport } = await import('../import/importSession.ts');
    return runImport(raw, context);
  },
};
