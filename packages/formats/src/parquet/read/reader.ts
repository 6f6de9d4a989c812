import { ParquetError } from '../error.ts';
import { findPartition, PARTITION_COLUMNS } from '../partition.ts';
import type { ColumnValues, RowBatch } from './batch.ts';
import { type FileLayout, type RowGroupLayout, readFooter } from './footer.ts';
import { type ParquetColumn, toColumn } from './schema.ts';
import { ByteSource, FileSource, MemoryBudget, type Source } from './source.ts';
import { TextChunkReader } from './textChunk.ts';
import { WordChunkReader } from './wordChunk.ts';

/** Options of `ServerMetricsParquetReader.batches`. */
export interface BatchOptions {
  /** Names of the columns to read. Default: all columns. Names that are not in the file are ignored. */
  readonly columns?: readonly string[];
  /** Maximum number of rows per batch. Default: 65,536. */
  readonly batchRows?: number;
}

/** A Parquet export that is open for reading. Iterating over it yields all batches and then closes the file. */
export interface ServerMetricsParquetReader extends AsyncIterable<RowBatch> {
  readonly rows: number;
  readonly rowGroups: number;
  readonly columns: readonly ParquetColumn[];
  /** Key-value metadata, in file order. */
  readonly metadata: ReadonlyMap<string, string>;
  /** `created_by` of the file: the program that wrote it. */
  readonly createdBy: string | undefined;
  /**
   * Reads the file sequentially, batch by batch. A batch never spans row groups. Memory use is bounded by the
   * batch and the open pages, even for a corrupt file.
   *
   * @throws {ParquetError} if the file is corrupt
   */
  batches(options?: BatchOptions): AsyncGenerator<RowBatch, void, undefined>;
  close(): Promise<void>;
}

const DEFAULT_BATCH_ROWS = 1 << 16;
/** Maximum total size of the decompressed pages in memory. Writers create pages of about 1 MB. */
const MAX_PAGE_MEMORY_BYTES = 1 << 28;

/**
 * Opens a Parquet export of server metrics, written by Servelens, AIPerf or a tool such as DuckDB.
 *
 * Supports the codecs UNCOMPRESSED, SNAPPY, GZIP, BROTLI and, in Node 22.15 or newer, ZSTD; data pages of
 * version 1 and 2; and all encodings that writers use for strings, doubles and 64-bit integers.
 *
 * For a file of a partitioned dataset, the columns include the partition columns, whose values are in the
 * folder names.
 *
 * @param input a path, or the bytes of the file
 * @throws {ParquetError} if the input is not a Parquet file or its footer is corrupt
 * @throws the file system's error if the file cannot be opened
 */
export async function readServerMetricsParquet(
  input: string | Uint8Array,
): Promise<ServerMetricsParquetReader> {
  const source = typeof input === 'string' ? await FileSource.open(input) : new ByteSource(input);
  try {
    return new FileReader(source, await readFooter(source), typeof input === 'string' ? input : '');
  } catch (error) {
    await source.close();
    throw error;
  }
}

class FileReader implements ServerMetricsParquetReader {
  readonly rows: number;
  readonly rowGroups: number;
  readonly columns: readonly ParquetColumn[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly createdBy: string | undefined;
  readonly #source: Source;
  readonly #layout: FileLayout;
  readonly #fileColumns: readonly ParquetColumn[];
  readonly #pathColumns: readonly PathColumn[];

  constructor(source: Source, layout: FileLayout, path: string) {
    this.#source = source;
    this.#layout = layout;
    this.rows = layout.rows;
    this.rowGroups = layout.rowGroups.length;
    this.#fileColumns = layout.leaves.map(leaf => toColumn(leaf, layout.isFlat));
    this.#pathColumns = listPathColumns(path, layout.metadata, this.#fileColumns);
    this.columns = [...this.#pathColumns.map(({ column }) => column), ...this.#fileColumns];
    this.metadata = layout.metadata;
    this.createdBy = layout.createdBy;
  }

  async *batches(options: BatchOptions = {}): AsyncGenerator<RowBatch, void, undefined> {
    const batchRows = options.batchRows ?? DEFAULT_BATCH_ROWS;
    if (!Number.isInteger(batchRows) || batchRows < 1) {
      throw new RangeError(`batchRows is ${batchRows}; expected an integer of at least 1`);
    }
    const wanted = options.columns && new Set(options.columns);
    let firstRow = 0;
    for (let rowGroup = 0; rowGroup < this.rowGroups; rowGroup++) {
      const { rows } = this.#layout.rowGroups[rowGroup]!;
      const readers = this.#openColumns(this.#layout.rowGroups[rowGroup]!, wanted);
      for (let rowsRead = 0; rowsRead < rows; rowsRead += batchRows) {
        const count = Math.min(batchRows, rows - rowsRead);
        const columns = new Map<string, ColumnValues>();
        for (const { column, text } of this.#pathColumns)
          if (wanted?.has(column.name) !== false) columns.set(column.name, repeatText(text, count));
        for (const { name, read } of readers) columns.set(name, await read(count));
        yield { rows: count, rowGroup, firstRow: firstRow + rowsRead, columns };
      }
      for (const { release } of readers) release();
      firstRow += rows;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowBatch, void, undefined> {
    try {
      yield* this.batches();
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#source.close();
  }

  #openColumns(group: RowGroupLayout, wanted: ReadonlySet<string> | undefined): OpenColumn[] {
    const budget = new MemoryBudget(MAX_PAGE_MEMORY_BYTES);
    return this.#fileColumns.flatMap((column, i) => {
      if (column.type === 'other' || (wanted && !wanted.has(column.name))) return [];
      const chunk = group.chunks[i]!;
      if (chunk.values !== group.rows) {
        throw new ParquetError(
          'footer',
          `column ${JSON.stringify(column.name)} has ${chunk.values} values in a row group of ${group.rows} rows`,
        );
      }
      if (column.type === 'string') {
        const reader = new TextChunkReader(this.#source, chunk, column.name, column.nullable, budget);
        return { name: column.name, read: rows => reader.readTexts(rows), release: () => reader.release() };
      }
      const reader = new WordChunkReader(this.#source, chunk, column.name, column.nullable, budget);
      const read =
        column.type === 'double' ? reader.readDoubles.bind(reader) : reader.readInt64s.bind(reader);
      return { name: column.name, read, release: () => reader.release() };
    });
  }
}

interface OpenColumn {
  readonly name: string;
  readonly read: (rows: number) => Promise<ColumnValues>;
  readonly release: () => void;
}

/** A partition column, which has one value in the whole file. */
interface PathColumn {
  readonly column: ParquetColumn;
  readonly text: string;
}

/** Lists the partition columns that are not stored in the file itself. */
function listPathColumns(
  path: string,
  metadata: ReadonlyMap<string, string>,
  fileColumns: readonly ParquetColumn[],
): PathColumn[] {
  const partition = findPartition(path, metadata);
  if (!partition) return [];
  return PARTITION_COLUMNS.filter(name => fileColumns.every(column => column.name !== name)).map(name => ({
    column: { name, type: 'string', declared: 'partition', nullable: false },
    text: partition[name],
  }));
}

function repeatText(text: string, rows: number): ColumnValues {
  return { type: 'string', codes: new Int32Array(rows), texts: [text] };
}
