import { readProfileExport, readProfileMetrics, readProfileTimeslices, type Source } from '@org/formats/read';
import { decodeHead } from './contentKind.ts';
import { openInput } from './input.ts';
import { isReadError, openFileSource, withReadErrors } from './readErrors.ts';
import type { RunParts } from './run.ts';
import type { RunFiles } from './runFiles.ts';

/** The data of the load generator. */
type ClientData = Pick<RunParts, 'profile' | 'clientMetrics' | 'clientTimeslices'>;

/**
 * Reads the exports of the load generator in a folder. If they cannot be read, but the folder has server metrics, returns
 * the problem.
 */
export async function readFolderClient(files: RunFiles): Promise<ClientData & { readonly problem?: string }> {
  try {
    return await readClient(files);
  } catch (error) {
    const hasMetrics = [files.aggregated, files.records, files.parquet].some(file => file !== undefined);
    if (!hasMetrics || !isReadError(error)) throw error;
    return { problem: `client metrics are missing: ${(error as Error).message}` };
  }
}

async function readClient({ profile: file, timeslices }: RunFiles): Promise<ClientData> {
  if (file === undefined) return {};
  const clientTimeslices =
    timeslices === undefined
      ? undefined
      : await withReadErrors(timeslices, async () => readProfileTimeslices(await openInput(timeslices)));
  return {
    ...(await readProfile(file, await openFileSource(file))),
    ...(clientTimeslices && { clientTimeslices }),
  };
}

/** Reads a profile export. A CSV contains only metrics. */
export async function readProfile(file: string, source: Source): Promise<ClientData> {
  if (/^\uFEFF?\s*\{/.test(decodeHead(source)))
    return { profile: await withReadErrors(file, () => readProfileExport(source)) };
  return { clientMetrics: await withReadErrors(file, () => readProfileMetrics(source)) };
}
