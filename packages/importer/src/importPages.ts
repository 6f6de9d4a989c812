import { basename, resolve } from 'node:path';
import { describeSystemError, formatCount, type StoreMemory } from '@org/core';
import { type EndpointRecord, RunInputError } from '@org/record';
import { findSampledRange, type Imported } from './imported.ts';
import { type PageContent, readPage } from './pages/pageContent.ts';
import { PageEndpoint } from './pages/pageEndpoint.ts';
import { listPageFiles, type PageFile } from './pages/pageFile.ts';

/** Sources of the times of metrics pages, in the default order. */
export const PAGE_TIMES = ['header', 'name', 'mtime'] as const;
export type PageTime = (typeof PAGE_TIMES)[number];

export interface PageImportOptions {
  readonly folder: string;
  /** The source of the times; the first one that a page has by default. */
  readonly timeFrom?: PageTime | undefined;
  readonly memory?: StoreMemory | undefined;
  readonly signal: AbortSignal;
  readonly onPage?: (pages: number, total: number) => void;
}

/** A page with its endpoint and time. Its contents are read again when its endpoint is built. */
interface TimedPage {
  readonly file: PageFile;
  readonly endpoint: string;
  readonly ms: number;
  readonly timeFrom: PageTime;
}

/**
 * Imports a folder of metrics pages, one file per scrape, as curl or llm-d-benchmark leave them. The pages of an endpoint
 * are in a subfolder, or have the same name apart from the time.
 *
 * @throws RunInputError if the folder cannot be read or contains no metrics pages
 */
export async function importPages({
  folder,
  timeFrom,
  memory,
  signal,
  onPage = () => {},
}: PageImportOptions): Promise<Imported> {
  const files = await listPageFiles(folder).catch((error: Error) => {
    throw new RunInputError(`cannot read ${JSON.stringify(folder)}: ${describeSystemError(error)}`);
  });
  const timed = await readTimes(files, timeFrom);
  const built = new Map<string, PageEndpoint>();
  const unused: string[] = [];
  let done = 0;
  for (const [endpoint, pages] of groupByEndpoint(timed.pages)) {
    const builder = new PageEndpoint(memory);
    for (const { file, ms } of pages) {
      signal.throwIfAborted();
      await addPage(builder, file, ms);
      onPage(++done, timed.pages.length);
    }
    if (builder.store.frameCount > 0) built.set(endpoint, builder);
    else unused.push(...pages.map(({ file }) => file.name));
  }
  const endpoints = [...built].map(([name, builder]) => toRecord(name, folder, builder));
  const sampled = findSampledRange(endpoints);
  if (!sampled)
    throw new RunInputError(
      `no metrics pages in ${JSON.stringify(folder)}: found ${formatCount(files.length, 'file')}, none in Prometheus exposition format`,
    );
  return {
    endpoints,
    range: sampled,
    sampled,
    info: {
      source: 'metrics_pages',
      path: basename(resolve(folder)),
      from_ns: sampled.startNs,
      to_ns: sampled.endNs,
      samples: [...built.values()].reduce((sum, { samples }) => sum + samples, 0),
      limitations: [...describeTimes(timed.pages), ...timed.problems, ...describeUnused(unused), LIMITATION],
    },
  };
}

const LIMITATION =
  'pages of failed scrapes may be missing: only pages that could not be parsed are counted as failed; response times of the scrapes are unknown';

async function readTimes(
  files: readonly PageFile[],
  timeFrom: PageTime | undefined,
): Promise<{ readonly pages: TimedPage[]; readonly problems: string[] }> {
  const pages: TimedPage[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const content = await readPage(file.path);
      const time = findTime(file, content, timeFrom);
      if (time) pages.push({ file, endpoint: content.endpoint ?? file.endpoint, ...time });
      else problems.push(`${file.name} has no time in its ${timeFrom}, and was not imported`);
    } catch (error) {
      problems.push(`${file.name} cannot be read: ${describeSystemError(error)}`);
    }
  }
  return { pages, problems };
}

function findTime(
  { timeMs }: PageFile,
  { headerMs, modifiedMs }: PageContent,
  timeFrom: PageTime | undefined,
): Pick<TimedPage, 'ms' | 'timeFrom'> | undefined {
  const times = { header: headerMs, name: timeMs, mtime: modifiedMs };
  for (const source of timeFrom ? [timeFrom] : PAGE_TIMES) {
    const ms = times[source];
    if (ms !== undefined) return { ms, timeFrom: source };
  }
  return undefined;
}

/** Groups pages by endpoint. The pages of each are sorted by time, then by name. */
function groupByEndpoint(pages: readonly TimedPage[]): Map<string, TimedPage[]> {
  const groups = new Map<string, TimedPage[]>();
  for (const page of pages.toSorted((a, b) => a.ms - b.ms || (a.file.name < b.file.name ? -1 : 1))) {
    const group = groups.get(page.endpoint);
    if (group) group.push(page);
    else groups.set(page.endpoint, [page]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function addPage(builder: PageEndpoint, { path }: PageFile, ms: number): Promise<void> {
  const ns = BigInt(Math.round(ms * 1000)) * 1000n;
  try {
    builder.add(await readPage(path), ns);
  } catch (error) {
    builder.fail(ns, `cannot be read: ${describeSystemError(error)}`);
  }
}

/** Converts an endpoint to a record. Its URL contains its name, because its address is unknown. */
function toRecord(
  name: string,
  folder: string,
  { store, health, unsupported }: PageEndpoint,
): EndpointRecord {
  const host = (name === '' ? basename(resolve(folder)) : name).split('/').map(encodeURIComponent).join('/');
  const url = `http://${host}/metrics`;
  return { url, configuredUrl: url, store, health: health.toRecord(unsupported) };
}

function describeTimes(pages: readonly TimedPage[]): string[] {
  const byFile = pages.filter(({ timeFrom }) => timeFrom === 'mtime').length;
  if (byFile === 0) return [];
  return [
    `the times of ${formatCount(byFile, 'page')} are the modification times of the files, which copying may have changed`,
  ];
}

function describeUnused(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return [`${formatCount(names.length, 'file')} are not metrics pages: ${shown}${more}`];
}
