import type {
  GpuEnergy,
  GpuServer,
  PhaseGpuTelemetry,
  ProfileExport,
  ProfileMetric,
  TelemetryData,
} from '@org/formats';
import {
  CLOSING_SAMPLE_NS,
  computeEnergyMetrics,
  computeServerEnergies,
  createTelemetryData,
  type EnergyRecord,
  type ServerEnergy,
  type Window,
} from '@org/gpu';
import { formatUtc } from '@org/record/view';
import { getPhasePosition, type PhaseName } from '../profile/phasePosition.ts';
import {
  type CountedServers,
  countOutputTokens,
  countServedTokens,
  type ServedTokens,
} from '../reconciliation/serverTokens.ts';
import type { GpuRecording } from './gpuRecorder.ts';

/** The GPU telemetry of one phase. */
export interface PhaseGpus {
  readonly recording: GpuRecording;
  /** Start and end of the phase, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** The fields of a profile export about GPUs; empty if no source was found. */
export type GpuFields = Pick<ProfileExport, 'telemetry_data' | 'gpu_energy' | 'gpu_servers' | 'gpu_notes'> &
  Record<string, unknown>;

/** Creates the fields of a profile export about GPUs from its metrics and its configuration. */
export function createGpuFields(
  gpus: PhaseGpus | undefined,
  blocks: Readonly<Record<string, ProfileMetric | undefined>>,
  inputConfig: Readonly<Record<string, unknown>>,
  servers: CountedServers | undefined,
): GpuFields {
  if (!gpus || gpus.recording.sources.length === 0) return {};
  const { history } = gpus.recording;
  const concurrency = findConcurrency(inputConfig);
  const energy = computeEnergyMetrics({ history, window: toWindow(gpus), blocks, concurrency });
  return {
    ...energy.blocks,
    telemetry_data: describeTelemetry(gpus),
    ...(energy.records.length > 0 ? { gpu_energy: energy.records.map(toGpuEnergy) } : {}),
    ...describeServers(gpus, servers),
  };
}

const NS_PER_SECOND = 1e9;

/**
 * Creates gpu_telemetry.json of the profiling phase of a run without a load generator. Requests and tokens are those that the
 * servers counted. Latencies are unknown.
 */
export function createServedGpuTelemetry(
  gpus: PhaseGpus,
  wasCancelled: boolean,
  hasWarmup: boolean,
  servers: CountedServers,
): PhaseGpuTelemetry {
  const served = countServedTokens(servers);
  const window = toWindow(gpus);
  const seconds = (window.endNs - window.startNs) / NS_PER_SECOND;
  const { blocks, records } = computeEnergyMetrics({
    history: gpus.recording.history,
    window,
    blocks: served ? toServedBlocks(served, seconds) : {},
  });
  return {
    ...createPhaseGpuTelemetry(gpus, 'profiling', wasCancelled, hasWarmup),
    ...(records.length > 0
      ? { gpu_energy: records.map(toGpuEnergy), gpu_metrics: omitPartialTotals(blocks, served) }
      : {}),
    ...(served ? { token_source: 'server' } : {}),
    ...describeServers(gpus, servers),
  };
}

/** Omits the energy per token if the servers count only input tokens or only output tokens. */
function omitPartialTotals(
  blocks: Readonly<Record<string, ProfileMetric>>,
  served: ServedTokens | undefined,
): Record<string, ProfileMetric> {
  const isPartial = served?.inputTokens === undefined || served.outputTokens === undefined;
  const kept = Object.entries(blocks).filter(
    ([tag]) => !isPartial || !tag.endsWith('_energy_per_total_token'),
  );
  return Object.fromEntries(kept);
}

/** Returns what the servers counted as AIPerf's metrics of the client. */
function toServedBlocks(
  { requests, inputTokens, outputTokens }: ServedTokens,
  seconds: number,
): Record<string, ProfileMetric> {
  const rate = (count: number | undefined): number | undefined =>
    count === undefined || seconds <= 0 ? undefined : count / seconds;
  const values: readonly (readonly [tag: string, value: number | undefined, unit: string])[] = [
    ['request_count', requests, 'requests'],
    ['request_throughput', rate(requests), 'requests/sec'],
    ['total_isl', inputTokens, 'tokens'],
    ['total_osl', outputTokens, 'tokens'],
    ['output_token_throughput', rate(outputTokens), 'tokens/sec'],
  ];
  return Object.fromEntries(
    values.flatMap(([tag, avg, unit]) => (avg === undefined ? [] : [[tag, { unit, avg }]])),
  );
}

/** Divides the energy among the servers; without fields if there are no servers. */
function describeServers(
  gpus: PhaseGpus,
  servers: CountedServers | undefined,
): Pick<ProfileExport, 'gpu_servers' | 'gpu_notes'> {
  if (!servers) return {};
  const { history, map } = gpus.recording;
  const window = toWindow(gpus);
  const energies = computeServerEnergies({ history, window, outputTokens: countOutputTokens(servers), map });
  const seconds = (window.endNs - window.startNs) / NS_PER_SECOND;
  return {
    ...(energies.servers.length > 0
      ? { gpu_servers: energies.servers.map(server => toGpuServer(server, seconds)) }
      : {}),
    ...(energies.notes.length > 0 ? { gpu_notes: energies.notes } : {}),
  };
}

const MILLIJOULES_PER_JOULE = 1000;

function toGpuServer({ url, gpus, joules, outputTokens }: ServerEnergy, seconds: number): GpuServer {
  return {
    endpoint_url: url,
    gpus: gpus.map(({ gpu }) => gpu.uuid),
    ...(joules === undefined ? {} : { energy_joules: joules }),
    output_tokens: outputTokens,
    ...(joules === undefined || outputTokens === 0
      ? {}
      : { energy_per_output_token: (joules * MILLIJOULES_PER_JOULE) / outputTokens }),
    ...(seconds > 0 ? { output_token_throughput_per_gpu: outputTokens / seconds / gpus.length } : {}),
  };
}

/** Creates phases/<phase>/gpu_telemetry.json. */
export function createPhaseGpuTelemetry(
  gpus: PhaseGpus,
  phase: PhaseName,
  wasCancelled: boolean,
  hasWarmup = true,
): PhaseGpuTelemetry {
  const { startNs, endNs } = gpus;
  return {
    data: sortMaps(describeTelemetry(gpus)) as PhaseGpuTelemetry['data'],
    phase: {
      ...getPhasePosition(phase, hasWarmup),
      start_ns: startNs,
      end_ns: endNs,
      was_cancelled: wasCancelled,
    },
    schema_version: 1,
    warnings: [],
  };
}

/** Sorts the GPUs and their metrics by name: AIPerf sorts the fields of this file, but not those of the profile export. */
function sortMaps({ endpoints, ...telemetry }: TelemetryData): TelemetryData {
  const sorted = sortEntries(endpoints, ({ gpus = {} }) => ({
    gpus: sortEntries(gpus, gpu => ({ ...gpu, metrics: sortEntries(gpu.metrics, metric => metric) })),
  }));
  return { ...telemetry, endpoints: sorted };
}

function sortEntries<Value>(
  map: Readonly<Record<string, Value>>,
  convert: (value: Value) => Value,
): Record<string, Value> {
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, convert(value)]));
}

function describeTelemetry(gpus: PhaseGpus): TelemetryData {
  const { history, sources } = gpus.recording;
  const successful = new Set(history.series.map(({ source }) => source));
  return createTelemetryData(
    history,
    toWindow(gpus),
    { configured: sources, successful: sources.filter(url => successful.has(url)) },
    {
      start_time: formatUtc(gpus.startNs),
      end_time: formatUtc(gpus.endNs + BigInt(CLOSING_SAMPLE_NS)),
    },
  );
}

function toWindow({ recording: { history }, startNs, endNs }: PhaseGpus): Window {
  return { startNs: history.toRelative(startNs), endNs: history.toRelative(endNs) };
}

function toGpuEnergy({ platform, gpus, source, gapSeconds }: EnergyRecord): GpuEnergy {
  return {
    platform,
    gpu_count: gpus,
    ...(source === undefined ? {} : { source }),
    ...(gapSeconds > 0 ? { gap_seconds: gapSeconds } : {}),
  };
}

/** Returns the concurrency of the profiling phase; undefined if the load is limited by a rate. */
function findConcurrency({ phases }: Readonly<Record<string, unknown>>): number | undefined {
  const list = (Array.isArray(phases) ? phases : []) as readonly Readonly<Record<string, unknown>>[];
  const { concurrency } = list.find(({ kind }) => kind === 'profiling') ?? {};
  return typeof concurrency === 'number' && concurrency > 0 ? concurrency : undefined;
}
