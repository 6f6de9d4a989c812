import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type FindingOptions, type OpenOptions, openRun } from '@org/analysis';
import { writeFileAtomic } from '@org/formats/write';
import { UsageError } from '@org/terminal';
import { buildReport } from '../report/buildReport.ts';
import { renderPage } from '../report/page.ts';

/** The name of a page in the folder of its run. */
export const PAGE_NAME = 'server_metrics_report.html';

/** Writes the page of each run into its folder, one run at a time. Returns the paths. */
export async function writeRunPages(
  folders: readonly string[],
  options: FindingOptions,
  open: OpenOptions,
): Promise<readonly string[]> {
  const written: string[] = [];
  for (const folder of folders) {
    const file = join(folder, PAGE_NAME);
    const page = renderPage(await buildReport(await openRun(folder, open), undefined, options));
    const result = await writeFileAtomic(file, page);
    if (!result.ok) throw new UsageError(result.message);
    written.push(file);
  }
  return written;
}

/** Finds the pages of runs that exist, and returns their addresses relative to the page in `file`, by folder. */
export async function findRunPages(
  folders: readonly string[],
  file: string,
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  for (const folder of folders) {
    const page = join(folder, PAGE_NAME);
    const stats = await stat(page).catch(() => undefined);
    if (stats?.isFile()) links.set(folder, formatLink(relative(dirname(resolve(file)), resolve(page))));
  }
  return links;
}

/** Formats a relative path as an address. A leading `./` prevents that a colon is read as a protocol. */
function formatLink(path: string): string {
  return `./${path.split(sep).map(encodeURIComponent).join('/')}`;
}
