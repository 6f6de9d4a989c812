import type { ConfigFile } from '@org/discovery/config';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import {
  type Command,
  type CommandContext,
  type Io,
  pickOptions,
  type RawOptions,
  withDefaultText,
} from '@org/terminal/program';
import { describeIgnoredOptions, IGNORED_OPTIONS } from '../options/aiperf/ignored.ts';
import { MISSING_OPTIONS } from '../options/aiperf/missing.ts';
import { CONNECTION_OPTIONS, readConnection } from '../options/connection.ts';
import { checkDiscovery, DISCOVERY_OPTIONS, readDiscovery } from '../options/discovery.ts';
import { DISPLAY_OPTIONS } from '../options/display.ts';
import { ENDPOINT_OPTIONS } from '../options/endpoint.ts';
import { GPU_OPTIONS } from '../options/gpuTelemetry.ts';
import { INPUT_OPTIONS, TOKENIZER_OPTIONS } from '../options/input.ts';
import { LOAD_OPTIONS, WARMUP_OPTIONS } from '../options/load.ts';
import { MEDIA_OPTIONS } from '../options/media.ts';
import { NETWORK_OPTIONS } from '../options/networkLatency.ts';
import { OUTPUT_OPTIONS, RESULT_OPTIONS } from '../options/output.ts';
import { PHASE_OPTIONS } from '../options/phases.ts';
import { PREPARATION_OPTIONS } from '../options/preparation.ts';
import { PROMPT_SHAPE_OPTIONS } from '../options/promptShape.ts';
import { PUSH_OPTIONS } from '../options/push.ts';
import { SERVER_METRICS_OPTIONS } from '../options/serverMetrics.ts';
import { SHARD_OPTIONS } from '../options/shard.ts';
import { STATS_OPTIONS } from '../options/stats.ts';
import { TRACE_OPTIONS } from '../options/traceChanges.ts';
import { REPLAY_OPTIONS } from '../options/traceReplay.ts';
import { WEB_OPTIONS } from '../options/web.ts';
import type { ProfileOptions } from '../profile/profileOptions.ts';
import type { ProfileRuns } from '../profile/profileRuns.ts';
import { REPEAT_OPTIONS } from '../profile/repetition.ts';
import { SEARCH_OPTIONS } from '../profile/search/searchOptions.ts';

/** Options that `servelens profile --help` shows. */
const COMMON_OPTIONS = [
  ...['model', 'url', 'endpoint-type', 'streaming', 'header', 'api-key', 'extra-inputs'],
  ...['concurrency', 'request-rate', 'request-count', 'benchmark-duration', 'warmup-request-count'],
  ...['synthetic-input-tokens-mean', 'output-tokens-mean', 'input-file', 'custom-dataset-type', 'tokenizer'],
  ...['artifact-dir', 'goodput', 'num-profile-runs', 'search-recipe', 'server-metrics', 'gpu-telemetry'],
  ...['config', 'ui', 'quiet'],
];

/** `servelens profile`. */
export const profileCommand: Command = {
  usage: '--model NAME [options]',
  optionGroups: [
    { title: 'Endpoint', topic: 'endpoint', options: ENDPOINT_OPTIONS },
    { title: 'Preparation of servers', topic: 'preparation', options: PREPARATION_OPTIONS },
    { title: 'Load', topic: 'load', options: LOAD_OPTIONS },
    { title: 'Network', topic: 'network', options: NETWORK_OPTIONS },
    {
      title: 'Warm-up',
      topic: 'warmup',
      options: { ...pickOptions(PHASE_OPTIONS, ['warmup-duration']), ...WARMUP_OPTIONS },
    },
    {
      title: 'Input',
      topic: 'input',
      options: { ...INPUT_OPTIONS, ...PROMPT_SHAPE_OPTIONS, ...TRACE_OPTIONS, ...REPLAY_OPTIONS },
    },
    { title: 'Batches, images, audio and rankings', topic: 'media', options: MEDIA_OPTIONS },
    { title: 'Tokenizer', topic: 'tokenizer', options: TOKENIZER_OPTIONS },
    {
      title: 'Output',
      topic: 'output',
      options: {
        ...withDefaultText(OUTPUT_OPTIONS, 'artifact-dir', 'artifacts/MODEL-API-LOAD'),
        ...RESULT_OPTIONS,
      },
    },
    { title: 'Repeated runs and sweeps', topic: 'sweep', options: REPEAT_OPTIONS },
    { title: 'Search', topic: 'search', options: SEARCH_OPTIONS },
    { title: 'Shards', topic: 'shard', options: SHARD_OPTIONS },
    {
      title: 'Server metrics',
      topic: 'metrics',
      options: {
        ...pickOptions(SERVER_METRICS_OPTIONS, [
          'server-metrics',
          'no-server-metrics',
          'require-server-metrics',
          'server-metrics-header',
        ]),
        ...pickOptions(CONNECTION_OPTIONS, [
          'config',
          'bearer-token-file',
          'basic-auth-file',
          'limit',
          'compressed',
        ]),
        ...pickOptions(PHASE_OPTIONS, ['settle']),
        ...SERVERS_OPTION,
      },
    },
    { title: 'Discovery of endpoints', topic: 'discovery', options: DISCOVERY_OPTIONS },
    { title: 'GPU telemetry', topic: 'gpu', options: GPU_OPTIONS },
    {
      title: 'Connection',
      topic: 'tls',
      options: pickOptions(CONNECTION_OPTIONS, ['ca-file', 'cert-file', 'key-file', 'insecure']),
    },
    { title: 'Push', topic: 'push', options: PUSH_OPTIONS },
    { title: 'Display', topic: 'display', options: { ...DISPLAY_OPTIONS, ...STATS_OPTIONS, ...WEB_OPTIONS } },
  ],
  commonOptions: COMMON_OPTIONS,
  examples: [
    {
      command: 'servelens profile --model m --url localhost:8000 --streaming --concurrency 16',
      description: 'Keep 16 concurrent streaming requests in flight (closed loop)',
    },
    {
      command: 'servelens profile --model m --request-rate 20 --benchmark-duration 60',
      description: 'Send 20 requests per second for one minute (open loop)',
    },
    {
      command: 'servelens profile --model m --concurrency 1,2,4,8 --num-profile-runs 3',
      description: 'Sweep the concurrency, with three runs of each value',
    },
    {
      command: 'servelens profile -m m --search-recipe concurrency-ramp --concurrency-max 64',
      description: 'Sweep the concurrency, and find where the latency is 20% higher',
    },
    {
      command: 'servelens profile --model m --input-file trace.jsonl',
      description: 'Replay a trace at its timestamps',
    },
  ],
  notes: [
    'Sweeps: --concurrency, --request-rate, --arrival-smoothness, --request-count, --num-sessions, --benchmark-duration, --conversation-turn-mean, --isl and --osl, and the standard deviations --isl-stddev and --osl-stddev, accept comma-separated lists such as 1,2,4. Each combination of values is a variation with its own runs.',
    'Environment variables: SERVELENS_TOKENIZER sets the default of --tokenizer; for others, see servelens collect --help.',
  ],
  exitCodes: [
    ['0', 'success'],
    [
      '1',
      'no request succeeded, more than half of the requests failed, --failed-request-threshold was exceeded, every server stopped responding, a worker thread failed, an export could not be written, or --require-server-metrics is not met; with several runs, if this applies to any of them',
    ],
    ['2', 'invalid arguments, or a source of endpoints cannot be read'],
    ['128 + N', 'interrupted by signal N'],
  ],
  ignoredOptions: IGNORED_OPTIONS,
  unavailableOptions: MISSING_OPTIONS,
  run: runProfileCommand,
};

/** Logs the options that have no effect. */
async function logNotes(
  raw: RawOptions,
  io: Io,
  options: readonly ProfileOptions[],
  runs: ProfileRuns | undefined,
): Promise<void> {
  const { createLog } = await import('@org/terminal/live');
  const { describeGpuMetricFiles } = await import('../options/gpuMetricFiles.ts');
  const { describeIneffectiveOptions } = await import('../profile/ineffectiveOptions.ts');
  const { describePlaceholder } = await import('../profile/tokenizerName.ts');
  const log = createLog(io, raw.quiet === true, () => {});
  const ignored = describeIgnoredOptions(raw);
  if (ignored !== undefined) log.info(ignored);
  const plans = options.map(({ plan }) => plan);
  for (const note of describeIneffectiveOptions(raw, plans, runs?.runs)) log.info(note);
  for (const note of describeGpuMetricFiles(raw, io.cwd)) log.info(note);
  const placeholder = describePlaceholder(raw, plans[0]!.request, io.env);
  if (placeholder !== undefined) log.info(placeholder);
}

/** Runs with the options of the command line, and of --config if the file describes a run. Returns the exit code. */
async function runProfileCommand(raw: RawOptions, context: CommandContext): Promise<number> {
  const { readConfigOption } = await import('../options/configOption.ts');
  const file = await readConfigOption(raw, context.io);
  if (!file?.run) return await runWithOptions(raw, context, file);
  const { withRunFile } = await import('../runFile/withRunFile.ts');
  return await withRunFile(profileCommand, file.run, context, merged =>
    runWithOptions(merged, context, file),
  );
}

/** Runs a single profile run, or several runs if the options describe repeats or a sweep. Returns the exit code. */
async function runWithOptions(
  raw: RawOptions,
  context: CommandContext,
  file: ConfigFile | undefined,
): Promise<number> {
  const { io } = context;
  const { withRunFolder } = await import('../options/defaultFolder.ts');
  const { plotAutomatically } = await import('../profile/autoPlot.ts');
  const { withOptionNames } = await import('../options/planErrors.ts');
  const { checkInputFile } = await import('../profile/inputPlan.ts');
  const { readProfileOptions } = await import('../profile/profileOptions.ts');
  const { readProfileRuns } = await import('../profile/profileRuns.ts');
  const { runProfileRuns } = await import('../profile/repeatSession.ts');
  const { runProfile } = await import('../profile/profileSession.ts');
  const { runWithReport } = await import('../result/runReport.ts');
  const servers = await readServersOption(raw, io, file?.servers);
  const discovery = await readDiscovery(raw, io, readConnection(raw, io.cwd, 'server-metrics-header'), file);
  const runs = readProfileRuns(raw, io, file, servers, discovery);
  const allOptions = runs?.options ?? [readProfileOptions(raw, io, file, servers, discovery)];
  await logNotes(raw, io, allOptions, runs);
  if (discovery) {
    const { createLog } = await import('@org/terminal/live');
    const { urls } = allOptions[0]!.plan.request;
    const log = createLog(io, raw.quiet === true, () => {});
    await checkDiscovery(discovery, { serverUrls: urls, hasFallback: true }, log);
  }
  const options = allOptions[0]!;
  const { plan, hasDefaultFolder, quiet, printsJson } = options;
  return await runWithReport('profile', printsJson === true, context, async (reported, report) => {
    const plot = (directory: string, code: number): Promise<number> =>
      plotAutomatically(options.plot, directory, code, reported, report);
    if (runs) return await withOptionNames(() => runProfileRuns(runs, reported, plot, report));
    checkInputFile(plan.inputs);
    return await withRunFolder({ folder: plan.folder, isDefault: hasDefaultFolder, quiet }, io, folder =>
      withOptionNames(async () =>
        plot(folder, await runProfile({ ...options, plan: { ...plan, folder } }, reported, report)),
      ),
    );
  });
}
