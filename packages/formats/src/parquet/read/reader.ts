import { ParquetError } from '../error.ts';
import { PARTITION_COLUMNS, partitionOf } from '../partition.ts';
import type { RowBatch } from './batch.ts';
import type { ColumnValues } from './column.ts';
import { readFooter } from './footer.ts';
import type { FileLayout, RowGroupLayout } from './layout.ts';
import { columnOf, type ParquetColumn } from './schema.ts';
import { ByteSource, FileSource, MemoryBudget, type Source } from './source.ts';
import { TextChunkReader } from './textChunk.ts';
import { WordChunkReader } from './wordChunk.ts';

/** Options of `ServerMetricsParquetReader.batches`. */
export interface BatchOptions {
  /** Names of the columns to read; all by default. Names that the file does not have are left out. */
  readonly columns?: readonly string[];
  /** Rows of a batch at most, 65,536 by default. */
  readonly batchRows?: number;
}

/** A Parquet export that is open for reading. Iterating it gives all batches and closes it. */
export interface ServerMetricsParquetReader extends AsyncIterable<RowBatch> {
  readonly rows: number;
  readonly rowGroups: number;
  readonly columns: readonly ParquetColumn[];
  /** Key-value metadata, in the order of the file. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The program that wrote the file, in its own words. */
  readonly createdBy: string | undefined;
  /**
   * Reads the file from front to back, batch by batch; a batch never reaches over the end of a row group. Memory is bounded
   * by the batch and by the pages that are open, whatever the file claims.
   *
   * @throws {ParquetError} when the file is broken where it is being read
   */
  batches(options?: BatchOptions): AsyncGenerator<RowBatch, void, undefined>;
  close(): Promise<void>;
}

const DEFAULT_BATCH_ROWS = 1 << 16;
/** What all columns may hold unpacked at once; writers make pages of about 1 MB. */
const MAX_HELD = 1 << 28;

/**
 * Opens a Parquet export of server metrics: one of ours, of AIPerf's, or a copy by DuckDB or others.
 *
 * Known are the codecs UNCOMPRESSED, SNAPPY, GZIP, BROTLI and, from Node 22.15 on, ZSTD; data pages of version 1 and 2;
 * and all encodings that writers use for strings, doubles and 64-bit integers.
 *
 * Of a partitioned dataset it opens one file, and gives the columns that stand in the names of its folders with the others.
 *
 * @param input a path, or the bytes of the file
 * @throws {ParquetError} when it is not a Parquet file or its footer is broken
 * @throws the file system's error when it cannot be opened
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
  readonly #inFile: readonly ParquetColumn[];
  readonly #inPath: readonly PathColumn[];

  constructor(source: Source, layout: FileLayout, path: string) {
    this.#source = source;
    this.#layout = layout;
    this.rows = layout.rows;
    this.rowGroups = layout.rowGroups.length;
    this.#inFile = layout.leaves.map(leaf => columnOf(leaf, layout.isFlat));
    this.#inPath = pathColumns(path, layout.metadata, this.#inFile);
    this.columns = [...this.#inPath.map(({ column }) => column), ...this.#inFile];
    this.metadata = layout.metadata;
    this.createdBy = layout.createdBy;
  }

  async *batches(options: BatchOptions = {}): AsyncGenerator<RowBatch, void, undefined> {
    const batchRows = options.batchRows ?? DEFAULT_BATCH_ROWS;
    if (!Number.isInteger(batchRows) || batchRows < 1) {
      throw new RangeError(`batchRows is ${batchRows}; an integer from 1 on is accepted`);
    }
    const wanted = options.columns && new Set(options.columns);
    let firstRow = 0;
    for (let rowGroup = 0; rowGroup < this.rowGroups; rowGroup++) {
      const { rows } = this.#layout.rowGroups[rowGroup]!;
      const readers = this.#readers(this.#layout.rowGroups[rowGroup]!, wanted);
      for (let done = 0; done < rows; done += batchRows) {
        const count = Math.min(batchRows, rows - done);
        const columns = new Map<string, ColumnValues>();
        for (const { column, text } of this.#inPath)
          if (wanted?.has(column.name) !== false) columns.set(column.name, constant(text, count));
        for (const { name, read } of readers) columns.set(name, await read(count));
        yield { rows: count, rowGroup, firstRow: firstRow + done, columns };
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

  #readers(group: RowGroupLayout, wanted: ReadonlySet<string> | undefined): OpenColumn[] {
    const budget = new MemoryBudget(MAX_HELD);
    return this.#inFile.flatMap((column, i) => {
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
        return { name: column.name, read: rows => reader.texts(rows), release: () => reader.release() };
      }
      const reader = new WordChunkReader(this.#source, chunk, column.name, column.nullable, budget);
      const read = column.type === 'double' ? reader.doubles.bind(reader) : reader.int64s.bind(reader);
      return { name: column.name, read, release: () => reader.release() };
    });
  }
}

interface OpenColumn {
  readonly name: string;
  readonly read: (rows: number) => Promise<ColumnValues>;
  readonly release: () => void;
}

/** A column of a dataset that has one value in the whole file. */
interface PathColumn {
  readonly column: ParquetColumn;
  readonly text: string;
}

/** The columns of the partition, when the file leaves them to its folders. */
function pathColumns(
  path: string,
  metadata: ReadonlyMap<string, string>,
  inFile: readonly ParquetColumn[],
): PathColumn[] {
  const partition = partitionOf(path, metadata);
  if (!partition) return [];
  return PARTITION_COLUMNS.filter(name => inFile.every(column => column.name !== name)).map(name => ({
    column: { name, type: 'string', declared: 'partition', nullable: false },
    text: partition[name],
  }));
}

function constant(text: string, rows: number): ColumnValues {
  return { type: 'string', codes: new Int32Array(rows), texts: [text] };
}
