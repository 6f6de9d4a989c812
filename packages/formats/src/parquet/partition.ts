import { createHash } from 'node:crypto';
import { sep } from 'node:path';

/** The columns that a partitioned dataset keeps in its folders, outermost first: columns of the seed, so no label has their name. */
export const PARTITION_COLUMNS = ['endpoint_url', 'metric_name'] as const;

export type PartitionColumn = (typeof PARTITION_COLUMNS)[number];

/** What all rows of one file of a dataset have in common. */
export type Partition = Readonly<Record<PartitionColumn, string>>;

/** What file systems allow for one name, in bytes. */
const LONGEST_NAME = 255;

/** Hexadecimal digits of the hash that ends a name which was too long. */
const HASH_DIGITS = 16;

/** Begins the hash. In a value it stands as %7E, so that no value looks like a shortened one. */
const CUT = '~';

/** Values that Hive, Spark and DuckDB read as null. */
const NULLS = /^(?:null|__hive_default_partition__)$/i;

/** The folder of one value. */
export interface PartitionFolder {
  readonly name: string;
  /** Whether the name is not the whole value, because the file system does not allow one that long. */
  readonly shortened: boolean;
}

/**
 * The folder `column=value` of a dataset, as Hive and those after it write it: of ASCII all but letters, digits, `_`, `-` and
 * `.` is percent-encoded, and everything else stands as it is, because Spark takes %C3%BC for two characters.
 *
 * A name has no separator, is never `.` or `..`, and does not end in a dot, which Windows takes away. One of more than 255
 * bytes ends in a hash instead of its rest.
 *
 * @throws {RangeError} for an empty value, which engines read as null or refuse
 */
export function partitionFolder(column: PartitionColumn, value: string): PartitionFolder {
  if (value === '')
    throw new RangeError(`${column} is empty; a partition needs a value that can be a folder's name`);
  const name = `${column}=${encoded(value)}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return { name, shortened: false };
  const hash = createHash('sha256').update(value).digest('hex').slice(0, HASH_DIGITS);
  const room = LONGEST_NAME - CUT.length - HASH_DIGITS;
  return { name: `${beginning(name, room)}${CUT}${hash}`, shortened: true };
}

/** The same folder for file systems where upper and lower case are one, and `other` has the name already. */
export function distinctFolder({ name, shortened }: PartitionFolder): PartitionFolder {
  if (shortened) return { name, shortened };
  const at = name.indexOf('=') + 1;
  const letters = name.slice(at).replace(/%..|[A-Za-z]/g, text => (text.length > 1 ? text : percent(text)));
  const distinct = name.slice(0, at) + letters;
  return Buffer.byteLength(distinct) <= LONGEST_NAME ? { name: distinct, shortened } : { name, shortened };
}

/** The partition that a file belongs to by its path; undefined when it does not lie in such folders. */
export function parsePartitionPath(path: string): Partition | undefined {
  const folders = path.split(sep === '\\' ? /[/\\]/ : '/').slice(0, -1);
  const values = PARTITION_COLUMNS.map((column, i) => {
    const folder = folders.at(i - PARTITION_COLUMNS.length);
    return folder?.startsWith(`${column}=`) ? folderValue(folder) : undefined;
  });
  const [endpoint_url, metric_name] = values;
  if (endpoint_url === undefined || metric_name === undefined) return undefined;
  return { endpoint_url, metric_name };
}

/** The value that engines read from a folder's name. */
export function folderValue(name: string): string {
  const value = name.slice(name.indexOf('=') + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function encoded(value: string): string {
  const text = Buffer.from(value)
    .toString()
    .replace(/[^\w.\-\u{80}-\u{10ffff}]|[\u{80}-\u{9f}\u{2028}\u{2029}]|\.$/gu, percent);
  // Any escape does: engines compare before they decode.
  return NULLS.test(text) ? percent(text[0]!) + text.slice(1) : text;
}

function percent(character: string): string {
  return Array.from(new TextEncoder().encode(character), byte => {
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** As many whole characters and escapes as fit into so many bytes. */
function beginning(name: string, bytes: number): string {
  let length = 0;
  let text = '';
  for (const [piece] of name.matchAll(/%..|./gsu)) {
    length += Buffer.byteLength(piece);
    if (length > bytes) break;
    text += piece;
  }
  return text;
}

/** Metadata that names the partition of a file, since a folder's name may be shortened. */
export function partitionMetadata(partition: Partition): [key: string, value: string][] {
  return PARTITION_COLUMNS.map(column => [metadataKey(column), partition[column]]);
}

/** The partition of a file: what its metadata says, and what its path says otherwise. */
export function partitionOf(path: string, metadata: ReadonlyMap<string, string>): Partition | undefined {
  const stated = PARTITION_COLUMNS.map(column => metadata.get(metadataKey(column)));
  const [endpoint_url, metric_name] = stated;
  if (endpoint_url === undefined || metric_name === undefined) return parsePartitionPath(path);
  return { endpoint_url, metric_name };
}

function metadataKey(column: PartitionColumn): string {
  return `servelens.${column}`;
}
