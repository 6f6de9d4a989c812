import { readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

/** The file of one metrics page. */
export interface PageFile {
  readonly path: string;
  /** Path below the imported folder, for messages. */
  readonly name: string;
  /** The endpoint according to the folder and the file name; empty if they contain only a time. */
  readonly endpoint: string;
  /** The time in the file name, in Unix milliseconds; undefined if there is none. */
  readonly timeMs: number | undefined;
}

const EXTENSIONS = /(?:\.(?:txt|prom|log|metrics|om|openmetrics|out))?(?:\.gz)?$/i;
/** Words that tools add to the names of metrics pages. */
const WORDS = /(?:^|[_.-])(?:metrics|prometheus|snapshot|scrape)(?=$|[_.-])/gi;
/** Other files in folders of metrics pages: results in JSON, YAML and CSV, and logs. */
const OTHER_FILES =
  /\.(?:json|jsonl|ya?ml|csv|parquet|png|html|md|sh|py|pid|tmp)$|(?:debug|stderr|stdout)[^/]*$/i;

/** Dates and times in file names, such as 20261121T081530Z, 2026-11-21T08-15-30.5Z and 20261121-081530. */
const DATE_TIME =
  /(\d{4})-?(\d\d)-?(\d\d)[T_-]?(\d\d)[:.-]?(\d\d)[:.-]?(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?(?!\d)/;
/** Unix times of the years 2001 to 2286, in seconds, milliseconds, microseconds or nanoseconds. */
const UNIX_TIME = /(?<!\d)(1\d{9}|[2-9]\d{9})(\d{3}|\d{6}|\d{9})?(?:\.(\d{1,9}))?(?!\d)/;

/** Lists the files of a folder and its subfolders that may be metrics pages, sorted by name. */
export async function listPageFiles(folder: string): Promise<PageFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && !entry.name.startsWith('.') && !OTHER_FILES.test(entry.name))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map(name => toPageFile(folder, name));
}

function toPageFile(folder: string, name: string): PageFile {
  const stem = basename(name).replace(EXTENSIONS, '');
  const parts = name.split(sep).slice(0, -1);
  const found = findTime(stem);
  const rest = (found ? stem.replace(found.text, '') : stem).replaceAll(WORDS, '');
  const label = rest.replaceAll(/^[_.-]+|[_.-]+$/g, '');
  // Without a time in the name, names that differ only in a number are pages of one endpoint.
  const own = found ? label : label.replace(/[_.-]?\d+$/, '');
  return {
    path: join(folder, name),
    name,
    endpoint: [...parts, own].filter(part => part !== '').join('/'),
    timeMs: found?.ms,
  };
}

/** Finds a time in a file name. Returns its text and Unix milliseconds. Times without a zone are UTC. */
function findTime(stem: string): { readonly text: string; readonly ms: number } | undefined {
  const date = DATE_TIME.exec(stem);
  if (date) {
    const [text, year, month, day, hour, minute, second, fraction = '0', zone = 'Z'] = date;
    const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
    const ms = Date.parse(
      `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}${offset}`,
    );
    if (!Number.isNaN(ms)) return { text, ms };
  }
  const unix = UNIX_TIME.exec(stem);
  if (!unix) return undefined;
  const [text, seconds, digits = '', fraction = digits] = unix;
  return {
    text,
    ms: Number(seconds) * 1000 + Math.round(Number(`0.${fraction === '' ? '0' : fraction}`) * 1000),
  };
}
