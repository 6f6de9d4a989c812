import { relative, sep } from 'node:path';
import type { ManifestPhase, ProfileExport } from '@org/formats';
import {
  type WriteResult,
  writeFileAtomic,
  writePhaseGpuTelemetryJson,
  writePhaseManifestJson,
  writeProfileExportCsv,
  writeProfileExportJson,
} from '@org/formats/write';
import { getFileLayout } from '../export/fileLayout.ts';
import { makePhaseFolder } from '../export/phaseServerMetrics.ts';
import { createPhaseGpuTelemetry, type PhaseGpus } from '../gpu/gpuMetrics.ts';
import { createProfileDocument, type DocumentParts, type PhaseResults, toErrorCount } from './document.ts';
import { getPhasePosition } from './phasePosition.ts';
import type { ProfileExportOptions } from './profileExportOptions.ts';
import { getPhasePaths, getProfilePaths } from './profilePaths.ts';
import type { PhaseTimes } from './recordedPhases.ts';

/** A phase of a run and its metrics. */
export interface RunPhase extends PhaseTimes, PhaseResults {}

/** The paths of a phase's files in the manifest. */
type PhaseFiles = Pick<
  ManifestPhase,
  'metrics_json' | 'metrics_csv' | 'server_metrics_json' | 'gpu_telemetry_json'
>;

/**
 * Writes the client's exports of each phase, and phase_manifest.json, which lists them. `serverFiles` are the server
 * metrics of the phases. A file that cannot be written does not affect the other files.
 */
export async function writePhaseExports(
  parts: DocumentParts,
  phases: readonly RunPhase[],
  serverFiles: readonly WriteResult[],
  options: ProfileExportOptions,
): Promise<WriteResult[]> {
  const { folder, prefix } = options;
  const files: WriteResult[] = [];
  const entries: ManifestPhase[] = [];
  for (const phase of phases) {
    const paths = getPhasePaths(folder, prefix, phase.phase);
    const [json, csv] = await writePhase(createPhaseDocument(parts, phase), paths, options);
    const server = serverFiles.find(({ path }) => path === paths.serverMetrics);
    const gpus = toPhaseGpus(parts, phase);
    const gpuFile = gpus && (await writePhaseGpus(gpus, phase, parts.cancelled, paths.gpuTelemetry));
    files.push(json, csv, ...(gpuFile ? [gpuFile] : []));
    entries.push(
      createEntry(phase, parts.cancelled, {
        ...toReference(folder, 'metrics_json', json),
        ...toReference(folder, 'metrics_csv', csv),
        ...(gpuFile ? toReference(folder, 'gpu_telemetry_json', gpuFile) : {}),
        ...(server ? toReference(folder, 'server_metrics_json', server) : {}),
      }),
    );
  }
  const manifest = writePhaseManifestJson({ phases: entries, schema_version: 1 });
  return [...files, await writeFileAtomic(getProfilePaths(folder, prefix).phaseManifest, manifest)];
}

/** Creates the profile export of one phase, without the fields about the whole run. */
function createPhaseDocument(parts: DocumentParts, phase: RunPhase): ProfileExport {
  const { metrics, phaseMetrics, blocks, startNs } = phase;
  const endNs = phase.endNs ?? parts.endNs;
  const {
    load_generator: _,
    reconciliation: __,
    recovered: ___,
    warmup_metrics: ____,
    url_metrics: _____,
    shard: ______,
    shards: _______,
    ...document
  } = createProfileDocument({
    ...parts,
    metrics,
    phaseMetrics,
    blocks,
    startNs,
    endNs,
    profilingStartNs: startNs,
    gpus: toPhaseGpus(parts, phase),
    serverMetrics: phase.phase === 'profiling' ? parts.serverMetrics : undefined,
  });
  return document as ProfileExport;
}

/** Returns the GPU telemetry of a phase; undefined if none was collected. */
function toPhaseGpus({ gpus, endNs }: DocumentParts, phase: RunPhase): PhaseGpus | undefined {
  if (!gpus || gpus.recording.sources.length === 0) return undefined;
  return { recording: gpus.recording, startNs: phase.startNs, endNs: phase.endNs ?? endNs };
}

/** Writes the GPU telemetry of a phase, whose folder exists. */
function writePhaseGpus(
  gpus: PhaseGpus,
  { phase }: RunPhase,
  wasCancelled: boolean,
  path: string,
): Promise<WriteResult> {
  return writeFileAtomic(
    path,
    writePhaseGpuTelemetryJson(createPhaseGpuTelemetry(gpus, phase, wasCancelled)),
  );
}

async function writePhase(
  document: ProfileExport,
  paths: { readonly json: string; readonly csv: string },
  { compatibility }: ProfileExportOptions,
): Promise<[json: WriteResult, csv: WriteResult]> {
  const error = await makePhaseFolder(paths.json);
  if (error) return [error, error];
  const options = { layout: getFileLayout(compatibility) };
  return [
    await writeFileAtomic(paths.json, writeProfileExportJson(document, options)),
    await writeFileAtomic(paths.csv, writeProfileExportCsv(document, options)),
  ];
}

function toReference(folder: string, name: keyof PhaseFiles, { ok, path }: WriteResult): PhaseFiles {
  return ok ? { [name]: relative(folder, path).split(sep).join('/') } : {};
}

function createEntry(
  { phase, startNs, endNs, metrics }: RunPhase,
  cancelled: boolean,
  files: PhaseFiles,
): ManifestPhase {
  const { succeeded, failed, errors } = metrics;
  return {
    ...getPhasePosition(phase, true),
    start_ns: startNs,
    end_ns: endNs,
    was_cancelled: cancelled,
    successful_request_count: succeeded,
    error_request_count: failed,
    total_request_count: succeeded + failed,
    error_summary: errors.map(toErrorCount),
    ...files,
  };
}
