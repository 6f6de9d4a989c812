import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PERCENTILE_METHODS } from '@org/core';
import {
  describeWriteError,
  streamPhaseServerMetricsJson,
  type WriteResult,
  writeFileAtomic,
} from '@org/formats/write';
import type { RunRecord } from '@org/record';
import { type RecordedPhase, streamPhaseServerMetrics } from '@org/record/view';
import type { PhaseName } from '../profile/phasePosition.ts';
import { getPhasePaths } from '../profile/profilePaths.ts';
import { ProgressReporter } from './exportProgress.ts';
import type { ExportOptions } from './exportRun.ts';
import { getFileLayout } from './fileLayout.ts';

type PhaseOptions = Pick<
  ExportOptions,
  'folder' | 'prefix' | 'percentileMethod' | 'sliceSeconds' | 'compatibility'
>;

/** Writes the server metrics of each phase. A file that cannot be written does not affect the other files. */
export async function writePhaseServerMetrics(
  record: RunRecord,
  phases: readonly RecordedPhase[],
  options: PhaseOptions,
): Promise<WriteResult[]> {
  const { folder, prefix, percentileMethod, sliceSeconds, compatibility } = options;
  const statistics = {
    estimator: PERCENTILE_METHODS[percentileMethod],
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
  };
  const files: WriteResult[] = [];
  for (const phase of phases) {
    const { serverMetrics } = getPhasePaths(folder, prefix, phase.phase_name as PhaseName);
    const data = streamPhaseServerMetrics(record, phase, statistics);
    const chunks = streamPhaseServerMetricsJson(data, { layout: getFileLayout(compatibility) });
    files.push(await writePhase(serverMetrics, chunks));
  }
  return files;
}

async function writePhase(path: string, chunks: Iterable<string>): Promise<WriteResult> {
  const folderError = await makePhaseFolder(path);
  return folderError ?? writeFileAtomic(path, new ProgressReporter().pauseBetween(chunks));
}

/** Creates the folder of a phase; returns the error if that fails. */
export async function makePhaseFolder(path: string): Promise<WriteResult | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return undefined;
  } catch (error) {
    return describeWriteError(path, error);
  }
}
