import { resolve } from 'node:path';
import { formatCount, selectShare, WHOLE_RUN } from '@org/core';
import { divideSources, resolveTargets } from '@org/discovery';
import type { ConfigFile } from '@org/discovery/config';
import type { Discovery } from '@org/discovery/sources';
import type { CollectPlan } from '@org/run';
import type { Target, TargetSource } from '@org/scrape';
import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import {
  type CommandContext,
  createOptionError,
  type Io,
  omitUndefined,
  type RawOptions,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';
import { readConfigOption } from '../options/configOption.ts';
import { formatSettingOption, readConnection } from '../options/connection.ts';
import { type DiscoveryFallback, readDiscovery } from '../options/discovery.ts';
import { type DisplayOptions, readDisplay } from '../options/display.ts';
import { readSettings } from '../options/environment.ts';
import { readGpuPlan } from '../options/gpuPlan.ts';
import {
  listIneffectiveDisplayOptions,
  listIneffectiveScrapeOptions,
  listIneffectiveTlsOptions,
  rejectIneffective,
} from '../options/ineffective.ts';
import { readArtifactDir, readExportPlan, readExportPrefix, readStoragePlan } from '../options/output.ts';
import { readSettleSeconds } from '../options/phases.ts';
import { type PushSettings, readPush } from '../options/push.ts';
import { readScrapeTargets } from '../options/serverMetrics.ts';
import { divideGpuPlan, readShard } from '../options/shardValues.ts';
import { readWebPort } from '../options/web.ts';

/** Validated options of `servelens collect`. */
export interface CollectOptions extends DisplayOptions {
  readonly plan: CollectPlan;
  /** True to scrape the endpoints. If false, only the command runs. */
  readonly enabled: boolean;
  /** The sources of endpoints, which are checked before the run starts. */
  readonly discovery?: { readonly sources: Discovery; readonly fallback: DiscoveryFallback };
  /** The command to run and its arguments; empty if there is no command. */
  readonly command: readonly string[];
  /** True if --artifact-dir is not set. If true, the run uses a new folder. */
  readonly hasDefaultFolder: boolean;
  /** True if the run fails if an endpoint returned no data or an export is missing. */
  readonly required: boolean;
  /** Port of the page of the run; absent if it is not shown in a browser. */
  readonly webPort?: number;
  /** Absent if the run pushes no values. */
  readonly push?: PushSettings;
}

/**
 * Reads and validates the options of `servelens collect`. `folderName` is the default name of the artifact folder.
 * Throws `UsageError` if an option is invalid.
 */
export async function readCollectOptions(
  raw: RawOptions,
  { io, childCommand }: Pick<CommandContext, 'io' | 'childCommand'>,
  folderName: string,
): Promise<CollectOptions> {
  if (childCommand?.length === 0) throw new UsageError('missing command after --; expected COMMAND ARGS...');
  const command = childCommand ?? [];
  const file = await readConfigOption(raw, io);
  const servers = await readServersOption(raw, io, file?.servers);
  const { enabled, targets, sources, discovery } = await readTargets(raw, io, file);
  const shard = readShard(raw) ?? WHOLE_RUN;
  const share = selectShare(targets, shard);
  if (share.length === 0 && targets.length > 0 && sources.length === 0)
    throw createOptionError(
      'shard',
      raw.shard,
      `at most ${formatCount(targets.length, 'shard')}, because there ${targets.length === 1 ? 'is 1 endpoint' : `are ${targets.length} endpoints`}`,
    );
  if (!enabled && command.length === 0)
    throw new UsageError('--no-server-metrics requires a command after --');
  const artifactDir = readArtifactDir(raw);
  const exports = readExportPlan(raw);
  rejectIneffective(raw, [
    { options: Object.keys(raw).filter(isScrapeOption), when: !enabled, reason: 'with --no-server-metrics' },
    ...listIneffectiveDisplayOptions(raw),
    ...listIneffectiveScrapeOptions(raw, exports.formats, targets, sources),
    ...listIneffectiveTlsOptions(
      raw,
      targets.map(({ url }) => url),
      sources,
    ),
  ]);
  return {
    plan: {
      ...omitUndefined({
        prefix: readExportPrefix(raw),
        durationSeconds: readDuration(raw, command),
        settleSeconds: readSettleSeconds(raw),
        command: command.length > 0 ? command : undefined,
        config: readText(raw, 'config', 'a file path'),
        shard: raw.shard === undefined ? undefined : shard,
        gpuTelemetry: enabled
          ? divideGpuPlan(
              readGpuPlan(
                raw,
                targets.map(({ url }) => url),
                targets,
                sources,
              ),
              shard,
            )
          : undefined,
      }),
      folder: resolve(io.cwd, artifactDir ?? `artifacts/${folderName}`),
      targets: share,
      ...(sources.length > 0 ? { sources: divideSources(sources, targets, shard) } : {}),
      servers,
      warmupSeconds: readSeconds(raw, 'warmup-duration', 0) ?? 0,
      exports,
      storage: readStoragePlan(raw),
      settings: readSettings(io.env, file),
    },
    enabled,
    ...(discovery ? { discovery } : {}),
    command,
    hasDefaultFolder: artifactDir === undefined,
    required: raw['require-server-metrics'] === true,
    ...omitUndefined({ webPort: readWebPort(raw), push: readPush(raw, io.cwd) }),
    ...readDisplay(raw, io, { hasCommand: command.length > 0 }),
  };
}

/** Reports whether an option applies to scrapes and their exports; others are arguments or disable scraping. */
function isScrapeOption(name: string): boolean {
  return name !== '_' && name !== 'no-server-metrics';
}

/** The endpoints of a run, and the sources of further ones. */
interface CollectTargets extends Pick<CollectOptions, 'enabled' | 'discovery'> {
  readonly targets: readonly Target[];
  readonly sources: readonly TargetSource[];
}

/** Returns the endpoints to scrape. Throws `UsageError` if there are none and scraping is enabled. */
async function readTargets(raw: RawOptions, io: Io, file: ConfigFile | undefined): Promise<CollectTargets> {
  const { enabled, endpoints } = readScrapeTargets(raw);
  const options = readConnection(raw, io.cwd);
  const discovery = await readDiscovery(raw, io, options, file);
  if (!enabled) return { enabled, targets: [], sources: [] };
  const servers = readList(raw, 'url');
  const targets = resolveTargets({
    servers,
    endpoints,
    options,
    nameOption: formatSettingOption,
    ...(file ? { file } : {}),
  });
  if (discovery) {
    const hasFallback = targets.some(({ isDerived }) => isDerived);
    const fallback = { serverUrls: servers, hasFallback };
    return { enabled, ...discovery.resolve(targets, servers), discovery: { sources: discovery, fallback } };
  }
  if (targets.length > 0) return { enabled, targets, sources: [] };
  const hint = file ? `; ${raw.config} lists no targets` : '';
  throw new UsageError(
    `nothing to scrape; set --server-metrics or --url, or find endpoints with --discovery or --server-metrics-source${hint}`,
  );
}

function readDuration(raw: RawOptions, command: readonly string[]): number | undefined {
  const duration = readSeconds(raw, 'duration', 0.001);
  if (duration !== undefined && command.length > 0)
    throw new UsageError('cannot use --duration with a command; the run ends when the command ends');
  return duration;
}
