import type { ProfileExport, ProfileTimeslices } from '@org/formats';
import {
  type WriteResult,
  writeFileAtomic,
  writeProfileExportCsv,
  writeProfileExportJson,
  writeProfileTimeslicesCsv,
  writeProfileTimeslicesJson,
} from '@org/formats/write';
import type { ProfileFiles } from './profileFiles.ts';

/** Writes the client's exports. A file that cannot be written does not affect the other files. */
export async function writeProfile(
  files: ProfileFiles,
  document: ProfileExport,
  timeslices: ProfileTimeslices | undefined,
  layout: 'servelens' | 'aiperf',
): Promise<WriteResult[]> {
  const written = [
    await writeFileAtomic(files.json, writeProfileExportJson(document)),
    await writeFileAtomic(files.csv, writeProfileExportCsv(document, { layout })),
  ];
  if (!timeslices) return written;
  return [
    ...written,
    await writeFileAtomic(files.slicesJson, writeProfileTimeslicesJson(timeslices)),
    await writeFileAtomic(files.slicesCsv, writeProfileTimeslicesCsv(timeslices, { layout })),
  ];
}
