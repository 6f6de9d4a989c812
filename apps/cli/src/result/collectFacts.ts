import { relative } from 'node:path';
import { buildSummary } from '@org/reader';
import { getServers } from '@org/record/servers';
import type { CollectPlan, CollectResult } from '@org/run';
import { listExports, listFiles } from '../export/writtenFiles.ts';
import type { RunFacts } from './runReport.ts';

/** Returns what `collect --json` prints about a run: its files, and the summary of `read summary --json`. */
export function createCollectFacts(
  { folder }: Pick<CollectPlan, 'folder'>,
  { benchmarkId, record, exports, files, wasCancelled }: CollectResult,
  cwd: string,
): RunFacts {
  const context = { name: relative(cwd, folder) || '.' };
  return {
    folder,
    wasCancelled,
    files: [...listExports(exports.results), ...listFiles(files)],
    figures: {
      benchmark_id: benchmarkId,
      summary: buildSummary(exports.document, { context, servers: getServers(record) }),
    },
  };
}
