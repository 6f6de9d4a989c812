import { SERVERS_OPTION } from '@org/servers/option';
import {
  type Command,
  type CommandContext,
  pickOptions,
  type RawOptions,
  withDefaultText,
} from '@org/terminal/program';
import { CONNECTION_OPTIONS } from '../options/connection.ts';
import { checkDiscovery, DISCOVERY_OPTIONS } from '../options/discovery.ts';
import { DISPLAY_OPTIONS } from '../options/display.ts';
import { VARIABLES_SECTION } from '../options/environment.ts';
import { GPU_OPTIONS } from '../options/gpuTelemetry.ts';
import { OUTPUT_OPTIONS } from '../options/output.ts';
import { PHASE_OPTIONS } from '../options/phases.ts';
import { PUSH_OPTIONS } from '../options/push.ts';
import { SERVER_METRICS_OPTIONS } from '../options/serverMetrics.ts';
import { SHARDED_ENDPOINTS_OPTION } from '../options/shard.ts';
import { formatTimedFolderName } from '../options/timedFolderName.ts';
import { WEB_OPTIONS } from '../options/web.ts';

/** `servelens collect`. */
export const collectCommand: Command = {
  usage: '[options] [-- COMMAND ARGS...]',
  acceptsChildCommand: true,
  optionGroups: [
    {
      title: 'Server metrics',
      options: {
        ...pickOptions(SERVER_METRICS_OPTIONS, ['server-metrics']),
        url: {
          aliases: ['u'],
          placeholder: 'URL',
          many: 'list',
          description:
            'Base URLs of inference servers; scrapes URL/metrics, or /metrics at the root of the host if URL/metrics does not exist',
        },
        ...pickOptions(SERVER_METRICS_OPTIONS, ['no-server-metrics', 'require-server-metrics']),
        ...SERVERS_OPTION,
        ...SHARDED_ENDPOINTS_OPTION,
      },
    },
    { title: 'Discovery of endpoints', options: DISCOVERY_OPTIONS },
    { title: 'GPU telemetry', options: GPU_OPTIONS },
    { title: 'Connection', options: CONNECTION_OPTIONS },
    { title: 'Phases', options: PHASE_OPTIONS },
    {
      title: 'Output',
      options: withDefaultText(OUTPUT_OPTIONS, 'artifact-dir', 'artifacts/collect-DATE-TIME'),
    },
    { title: 'Push', options: PUSH_OPTIONS },
    {
      title: 'Display',
      options: {
        ...withDefaultText(
          DISPLAY_OPTIONS,
          'ui',
          'dashboard on a terminal of at least 80x24, otherwise line on a terminal; none with a COMMAND',
        ),
        ...WEB_OPTIONS,
      },
    },
  ],
  sections: [VARIABLES_SECTION],
  examples: [
    {
      command: 'servelens collect --server-metrics localhost:8000 --duration 60',
      description: 'Scrape one endpoint for one minute',
    },
    {
      command: 'servelens collect --url localhost:8000 --slice-duration 5 -- vllm bench serve',
      description: 'Scrape a server while a load generator runs, with timeslices of 5 s',
    },
    {
      command: 'servelens collect --server-metrics https://node1 --bearer-token-file token',
      description: 'Scrape an endpoint that requires a bearer token, until Ctrl-C is pressed',
    },
    {
      command: 'servelens collect --url n1:80 n2:80 --require-server-metrics -- ./load.sh',
      description: 'Scrape two servers in CI, and fail if one of them returns no data',
    },
  ],
  notes: [
    'With COMMAND, its exit code is passed through, except that --require-server-metrics changes 0 to 1. The codes below apply without COMMAND.',
  ],
  exitCodes: [
    ['0', 'success'],
    [
      '1',
      'no endpoint returned data, every server stopped responding, an export could not be written, or --require-server-metrics is not met',
    ],
    ['2', 'invalid arguments, or a source of endpoints cannot be read'],
    ['128 + N', 'interrupted by signal N'],
  ],
  run: runCollectCommand,
};

async function runCollectCommand(raw: RawOptions, context: CommandContext): Promise<number> {
  const { runCollect } = await import('../collect/collectSession.ts');
  const { readCollectOptions } = await import('../collect/collectOptions.ts');
  const { withOptionNames } = await import('../options/planErrors.ts');
  const { withRunFolder } = await import('../options/defaultFolder.ts');
  const { runWithReport } = await import('../result/runReport.ts');
  const options = await readCollectOptions(raw, context, formatTimedFolderName('collect', new Date()));
  const { plan, enabled, hasDefaultFolder, quiet, printsJson, discovery } = options;
  if (discovery) {
    const { createLog } = await import('@org/terminal/live');
    await checkDiscovery(
      discovery.sources,
      discovery.fallback,
      createLog(context.io, quiet, () => {}),
    );
  }
  const runFolder = { folder: plan.folder, isDefault: enabled && hasDefaultFolder, quiet };
  return withRunFolder(runFolder, context.io, folder =>
    withOptionNames(() =>
      runWithReport('collect', printsJson === true, context, (reported, report) =>
        runCollect({ ...options, plan: { ...plan, folder } }, reported, report),
      ),
    ),
  );
}
