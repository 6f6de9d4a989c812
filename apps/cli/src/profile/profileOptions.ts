import { resolve } from 'node:path';
import { resolveTargets } from '@org/discovery';
import type { ConfigFile } from '@org/discovery/config';
import type { Discovery, ResolvedSources } from '@org/discovery/sources';
import { type GoodputRule, generatesText, MAX_SLICES, parseGoodput } from '@org/loadgen';
import type { ExportPlan, ProfilePlan, RequestPlan, TokenCount } from '@org/run';
import type { DefinitionFile } from '@org/servers';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  type Io,
  omitUndefined,
  type RawOptions,
  readList,
  readNumber,
} from '@org/terminal/program';
import { formatSettingOption, readConnection } from '../options/connection.ts';
import { type DisplayOptions, readDisplay } from '../options/display.ts';
import { readSettings } from '../options/environment.ts';
import { dropGpuMetricFiles } from '../options/gpuMetricFiles.ts';
import { readGpuPlan } from '../options/gpuPlan.ts';
import {
  readArtifactDir,
  readExportPlan,
  readExportPrefix,
  readResultDetail,
  readStoragePlan,
} from '../options/output.ts';
import { readSettleSeconds } from '../options/phases.ts';
import { type PushSettings, readPush } from '../options/push.ts';
import { readScrapeTargets } from '../options/serverMetrics.ts';
import { readShard } from '../options/shardValues.ts';
import { readStatsInterval } from '../options/stats.ts';
import { readWebPort } from '../options/web.ts';
import { type AutoPlot, readAutoPlot } from './autoPlot.ts';
import { formatFolderName } from './folderName.ts';
import { rejectIneffectiveOptions } from './ineffectiveOptions.ts';
import { readInputPlan } from './inputPlan.ts';
import { type LoadPhases, readLoadPhases } from './loadPhases.ts';
import { readNetworkLatency } from './networkLatency.ts';
import { readOverSaturation } from './overSaturation.ts';
import { readPreparation } from './preparationPlan.ts';
import { checkPromptMemory } from './promptMemory.ts';
import { resolvePublicDataset } from './publicDataset.ts';
import { withRangeErrors } from './rangeErrors.ts';
import { readSeed } from './repetition.ts';
import { readRequestPlan } from './requestPlan.ts';
import { checkShard, formatShardSuffix, toShardPlan } from './shardPlan.ts';
import { readStartAt } from './startAt.ts';
import { readTokenizer } from './tokenizerName.ts';

/** Validated options of a profile run. */
export interface ProfileOptions extends DisplayOptions {
  readonly plan: ProfilePlan;
  /**
   * True if --artifact-dir is not set. If true, the run uses a new folder, with a number appended if the
   * default name exists.
   */
  readonly hasDefaultFolder: boolean;
  /** True if the run fails if an endpoint returned no data. */
  readonly required: boolean;
  /** True to print HTTP timings, such as DNS lookup and connection time. */
  readonly showTrace: boolean;
  /** Port of the page of the run; absent if it is not shown in a browser. */
  readonly webPort?: number;
  /** The page to write at the end; absent if none is written. */
  readonly plot?: AutoPlot;
  /** Absent if the run pushes no values. */
  readonly push?: PushSettings;
}

/**
 * Reads and validates the options of a profile run. `file` is the result of `readConfigOption`, `servers` of
 * `readServersOption`, and `discovery` of `readDiscovery`. Throws `UsageError` if an option is invalid.
 */
export function readProfileOptions(
  given: RawOptions,
  io: Io,
  file?: ConfigFile,
  servers: readonly DefinitionFile[] = [],
  discovery?: Discovery,
): ProfileOptions {
  const raw = resolvePublicDataset(given, io.cwd);
  const [, extra] = readList(raw, '_');
  if (extra !== undefined)
    throw new UsageError(`unexpected argument ${JSON.stringify(extra)}; profile takes only options`);
  const request = readRequestPlan(raw, io.cwd);
  const inputs = readInputPlan(raw, io.cwd);
  const phases = readLoadPhases(raw, inputs, io.cwd);
  checkPromptMemory(inputs, phases);
  const shard = readShard(raw);
  if (shard) checkShard(raw, shard, phases);
  const exports = readExportPlan(raw);
  checkSliceCount(exports, phases);
  const artifactDir = readArtifactDir(raw);
  const prefix = readExportPrefix(raw);
  const { targets, sources } = readTargets(raw, io, request, file, discovery);
  const plan: ProfilePlan = {
    ...omitUndefined({
      prefix,
      workers: readNumber(raw, 'workers', { min: 1, isInteger: true }),
      goodput: readGoodput(raw, request),
      preparation: readPreparation(raw),
      networkLatency: readNetworkLatency(raw),
      settleSeconds: readSettleSeconds(raw),
      overSaturationSeconds: readOverSaturation(raw),
      gpuTelemetry: readGpuPlan(dropGpuMetricFiles(raw, io.cwd), request.urls, targets, sources),
      startAtMs: readStartAt(raw, Date.now()),
    }),
    folder: resolve(
      io.cwd,
      artifactDir ??
        `artifacts/${formatFolderName(request, phases.profiling, inputs.fixedSchedule)}${formatShardSuffix(shard)}`,
    ),
    request,
    ...phases,
    ...readResultDetail(raw, prefix),
    inputs,
    seed: readSeed(raw) ?? Math.floor(Math.random() * 2 ** 31),
    tokenizer: readTokenizer(raw, request, io.env),
    tokenCount: readTokenCount(raw, exports),
    targets,
    ...(sources.length > 0 ? { sources } : {}),
    servers,
    settings: readSettings(io.env, file),
    exports,
    storage: readStoragePlan(raw),
  };
  rejectIneffectiveOptions(raw, plan);
  return {
    plan: toShardPlan(plan, shard),
    hasDefaultFolder: artifactDir === undefined,
    required: raw['require-server-metrics'] === true,
    showTrace: raw['show-trace-timing'] === true,
    ...omitUndefined({
      webPort: readWebPort(raw),
      statsSeconds: readStatsInterval(raw),
      plot: readAutoPlot(raw),
      push: readPush(raw, io.cwd),
    }),
    ...readDisplay(raw, io),
  };
}

/**
 * Reads --token-count and --use-server-token-count. By default, AIPerf counts on the client. Throws `UsageError` if the
 * options contradict each other.
 */
function readTokenCount(raw: RawOptions, { compatibility }: ExportPlan): TokenCount {
  const source = raw['token-count'] as TokenCount | undefined;
  if (source === 'auto' && compatibility === 'aiperf-0.13')
    throw new UsageError(
      'cannot use both --compat aiperf-0.13 and --token-count auto, because the files of AIPerf have no place for both counts; expected client or server',
    );
  if (raw['use-server-token-count'] !== true)
    return source ?? (compatibility === 'servelens' ? 'auto' : 'client');
  if (source === undefined || source === 'server') return 'server';
  throw new UsageError(`cannot use both --use-server-token-count and --token-count ${source}`);
}

/** Throws `UsageError` if the run would have too many timeslices. */
function checkSliceCount({ sliceSeconds }: ExportPlan, { profiling: { durationS } }: LoadPhases): void {
  if (sliceSeconds === undefined || durationS === undefined || durationS / sliceSeconds <= MAX_SLICES) return;
  throw createOptionError(
    'slice-duration',
    sliceSeconds,
    `at least ${durationS / MAX_SLICES} seconds, so that a run of ${durationS} seconds has at most ${MAX_SLICES} timeslices`,
  );
}

/**
 * Reads --goodput. Throws `UsageError` if a rule is invalid, or if requests do not have one of the metrics: some
 * require streaming, and embeddings have no output.
 */
function readGoodput(
  raw: RawOptions,
  { streaming, endpoint }: RequestPlan,
): readonly GoodputRule[] | undefined {
  const words = readList(raw, 'goodput');
  if (words.length === 0) return undefined;
  const rules = withRangeErrors('invalid --goodput ', () => parseGoodput(words.join(' ')));
  const hasOutput = generatesText(endpoint);
  const unmeasured = rules.find(
    ({ needsStream, needsOutput }) =>
      (needsStream && !streaming) || ((needsStream || needsOutput) && !hasOutput),
  );
  if (unmeasured === undefined) return rules;
  const reason = hasOutput
    ? 'the metric requires --streaming'
    : 'responses without text do not have this metric; expected, for example, request_latency';
  throw new UsageError(`invalid --goodput ${JSON.stringify(unmeasured.tag)}: ${reason}`);
}

function readTargets(
  raw: RawOptions,
  io: Io,
  { urls }: RequestPlan,
  file: ConfigFile | undefined,
  discovery: Discovery | undefined,
): ResolvedSources {
  const { enabled, endpoints } = readScrapeTargets(raw);
  const options = readConnection(raw, io.cwd, 'server-metrics-header');
  if (!enabled) return { targets: [], sources: [] };
  const targets = resolveTargets({
    servers: urls,
    endpoints,
    options,
    nameOption: formatSettingOption,
    ...(file ? { file } : {}),
  });
  return discovery?.resolve(targets, urls) ?? { targets, sources: [] };
}
