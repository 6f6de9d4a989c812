import type { ProfileExport, ProfileTimeslices, Reconciliation } from '@org/formats';
import {
  type WriteResult,
  writeFileAtomic,
  writeProfileExportCsv,
  writeProfileExportJson,
  writeProfileTimeslicesCsv,
  writeProfileTimeslicesJson,
} from '@org/formats/write';
import { getFileLayout } from '../export/fileLayout.ts';
import { createProfileDocument, type DocumentParts } from './document.ts';
import { type RunPhase, writePhaseExports } from './phaseExports.ts';
import type { ProfileExportOptions } from './profileExportOptions.ts';
import { getProfilePaths } from './profilePaths.ts';
import type { PhaseTimes } from './recordedPhases.ts';
import { createTimeslices, type TimesliceParts } from './timeslices.ts';

/** The client's exports of a run, except for the requests file. */
export interface ProfileExports {
  readonly document: ProfileExport;
  /** Absent if the run has no timeslices. */
  readonly timeslices?: ProfileTimeslices;
  /** Absent if no server of a known kind returned data. */
  readonly reconciliation?: Reconciliation;
  /** The result of writing each file. */
  readonly files: readonly WriteResult[];
  /** The results of writing the files of single phases, and files that repeat or describe the others. */
  readonly furtherFiles: readonly WriteResult[];
}

/** The phases of a run with a warm-up. */
export interface PhaseParts {
  /** Empty for a run without a warm-up. */
  readonly phases: readonly PhaseTimes[];
  /** Server metrics of the phases. */
  readonly phaseFiles: readonly WriteResult[];
}

/** Creates and writes the client's exports. A file that cannot be written does not affect the other files. */
export async function writeProfileExports(
  parts: Omit<DocumentParts & TimesliceParts & PhaseParts, 'compatibility'>,
  options: ProfileExportOptions,
): Promise<ProfileExports> {
  const { folder, prefix, compatibility } = options;
  const paths = getProfilePaths(folder, prefix);
  const layout = getFileLayout(compatibility);
  const document = createProfileDocument({ ...parts, compatibility });
  const timeslices = createTimeslices({ ...parts, compatibility });
  const files = [
    await writeFileAtomic(paths.json, writeProfileExportJson(document, { layout })),
    await writeFileAtomic(paths.csv, writeProfileExportCsv(document, { layout })),
  ];
  if (timeslices)
    files.push(
      await writeFileAtomic(paths.slicesJson, writeProfileTimeslicesJson(timeslices, { layout })),
      await writeFileAtomic(paths.slicesCsv, writeProfileTimeslicesCsv(timeslices, { layout })),
    );
  const { reconciliation } = parts;
  const furtherFiles =
    parts.phases.length === 0
      ? []
      : await writePhaseExports({ ...parts, compatibility }, listRunPhases(parts), parts.phaseFiles, options);
  return {
    document,
    ...(timeslices ? { timeslices } : {}),
    ...(reconciliation ? { reconciliation } : {}),
    files,
    furtherFiles,
  };
}

function listRunPhases({
  phases,
  warmup,
  metrics,
  phaseMetrics,
  blocks,
}: DocumentParts & PhaseParts): RunPhase[] {
  const profiling = { metrics, phaseMetrics, blocks };
  return phases.map(times => ({ ...(times.phase === 'warmup' ? warmup! : profiling), ...times }));
}
