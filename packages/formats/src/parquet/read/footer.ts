import { ParquetError } from '../error.ts';
import { CompactReader } from './compact.ts';
import { readSchemaNode, type SchemaNode } from './schema.ts';
import type { Source } from './source.ts';

const MAGIC = 'PAR1';
/** Maximum size of a footer in bytes. A footer for 5,000 row groups with 30 columns has about 15 MB. */
const MAX_FOOTER_BYTES = 1 << 26;
/**
 * Maximum number of rows per byte of a file. Files with more rows are corrupt: even constant metrics take a
 * byte for a few hundred rows, because timestamps and buckets differ.
 */
const MAX_ROWS_PER_BYTE = 1024;

/**
 * Reads and checks the footer of a file.
 *
 * @throws {ParquetError} if the source is not a Parquet file or its footer is corrupt
 */
export async function readFooter(source: Source): Promise<FileLayout> {
  const { size } = source;
  if (size < 12) throw new ParquetError('magic', `not a Parquet file: ${size} bytes, expected at least 12`);
  const headMagic = Buffer.from(await source.read(0, 4)).toString('latin1');
  const tail = Buffer.from(await source.read(size - 8, 8));
  const tailMagic = tail.toString('latin1', 4);
  if (headMagic !== MAGIC || tailMagic !== MAGIC) {
    throw new ParquetError(
      'magic',
      `not a Parquet file, or truncated: it starts with ${JSON.stringify(headMagic)} and ends with ${JSON.stringify(tailMagic)}, expected "${MAGIC}"`,
    );
  }
  const length = tail.readUInt32LE(0);
  if (length > size - 12) {
    throw new ParquetError(
      'footer',
      `the footer states a length of ${length} bytes in a file of ${size} bytes`,
    );
  }
  if (length > MAX_FOOTER_BYTES) {
    throw new ParquetError('limit', `the footer has ${length} bytes; the limit is ${MAX_FOOTER_BYTES}`);
  }
  const layout = readLayout(await source.read(size - 8 - length, length), size);
  if (layout.rows > size * MAX_ROWS_PER_BYTE) {
    throw new ParquetError(
      'limit',
      `the file states ${layout.rows} rows, which cannot fit into its ${size} bytes`,
    );
  }
  return layout;
}

/** Compression codecs, by their number in parquet.thrift. */
export const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;

/** Position and compression of a column chunk. */
export interface ChunkLayout {
  readonly codec: number;
  readonly values: number;
  /** File offset of the first page, which is the dictionary page if there is one. */
  readonly start: number;
  /** Size of all pages in bytes, including headers. */
  readonly size: number;
}

export interface RowGroupLayout {
  readonly rows: number;
  readonly chunks: readonly ChunkLayout[];
}

/** Contents of the footer. */
export interface FileLayout {
  readonly rows: number;
  /** The leaves of the schema, in order. */
  readonly leaves: readonly SchemaNode[];
  /** True if no column is nested or repeated. */
  readonly isFlat: boolean;
  readonly rowGroups: readonly RowGroupLayout[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly createdBy: string | undefined;
}

/**
 * Reads FileMetaData and checks it against the file size.
 *
 * @throws {ParquetError} if it is corrupt, or inconsistent with itself or the file size
 */
function readLayout(bytes: Uint8Array, fileSize: number): FileLayout {
  const reader = new CompactReader(bytes);
  let rows = -1;
  let schema: SchemaNode[] = [];
  let rowGroups: RowGroupLayout[] = [];
  const metadata = new Map<string, string>();
  let createdBy: string | undefined;
  reader.readStruct(id => {
    if (id === 2) schema = reader.readList(() => readSchemaNode(reader));
    else if (id === 3) rows = reader.readInt();
    else if (id === 4) rowGroups = reader.readList(() => readRowGroup(reader, fileSize));
    else if (id === 5) reader.readList(() => readKeyValue(reader, metadata));
    else if (id === 6) createdBy = reader.readText();
    else if (id === 8) throw new ParquetError('unsupported', 'the file is encrypted');
    else return false;
    return true;
  });
  const leaves = schema.slice(1).filter(node => node.children === 0);
  const isFlat = leaves.length === schema.length - 1 && leaves.every(leaf => leaf.repetition !== 2);
  checkCounts(rows, leaves.length, rowGroups);
  return { rows, leaves, isFlat, rowGroups, metadata, createdBy };
}

function checkCounts(rows: number, leaves: number, rowGroups: readonly RowGroupLayout[]): void {
  if (leaves === 0) throw new ParquetError('footer', 'the schema has no columns');
  let sum = 0;
  rowGroups.forEach((group, i) => {
    if (group.chunks.length !== leaves) {
      throw new ParquetError(
        'footer',
        `row group ${i} has ${group.chunks.length} column chunks for ${leaves} columns`,
      );
    }
    sum += group.rows;
  });
  if (rows !== sum) {
    throw new ParquetError('footer', `the file states ${rows} rows, but its row groups have ${sum}`);
  }
}

function readRowGroup(reader: CompactReader, fileSize: number): RowGroupLayout {
  let chunks: ChunkLayout[] = [];
  let rows = -1;
  reader.readStruct(id => {
    if (id === 1) chunks = reader.readList(() => readChunk(reader, fileSize));
    else if (id === 3) rows = reader.readInt();
    else return false;
    return true;
  });
  if (!(rows >= 0)) throw new ParquetError('footer', `a row group states ${rows} rows`);
  return { rows, chunks };
}

function readChunk(reader: CompactReader, fileSize: number): ChunkLayout {
  let chunk: ChunkLayout | undefined;
  reader.readStruct(id => {
    if (id === 1)
      throw new ParquetError('unsupported', `column data is in another file, ${reader.readText()}`);
    if (id !== 3) return false;
    chunk = readChunkMetadata(reader);
    return true;
  });
  if (!chunk) throw new ParquetError('footer', 'a column chunk has no metadata');
  const { start, size } = chunk;
  if (!(start >= 4) || !(size >= 0) || start + size > fileSize - 8) {
    throw new ParquetError(
      'footer',
      `a column chunk of ${size} bytes at offset ${start} is outside the file of ${fileSize} bytes`,
    );
  }
  return chunk;
}

function readChunkMetadata(reader: CompactReader): ChunkLayout {
  let codec = -1;
  let values = -1;
  let size = -1;
  let dataOffset = -1;
  let dictionaryOffset = 0;
  reader.readStruct(id => {
    if (id === 4) codec = reader.readInt();
    else if (id === 5) values = reader.readInt();
    else if (id === 7) size = reader.readInt();
    else if (id === 9) dataOffset = reader.readInt();
    else if (id === 11) dictionaryOffset = reader.readInt();
    else return false;
    return true;
  });
  // Some writers set dictionary_page_offset to 0 if there is no dictionary.
  const start = dictionaryOffset > 0 ? Math.min(dictionaryOffset, dataOffset) : dataOffset;
  return { codec, values, start, size };
}

function readKeyValue(reader: CompactReader, metadata: Map<string, string>): void {
  let key = '';
  let value = '';
  reader.readStruct(id => {
    if (id === 1) key = reader.readText();
    else if (id === 2) value = reader.readText();
    else return false;
    return true;
  });
  if (!metadata.has(key)) metadata.set(key, value);
}
