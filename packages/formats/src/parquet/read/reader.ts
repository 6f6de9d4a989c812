import type { ColumnType } from '../columns.ts';
import { ParquetError } from '../error.ts';
import {
  type ColumnValues,
  type DoubleValues,
  type Int64Values,
  TextChunkReader,
  type TextValues,
  WordChunkReader,
} from './column.ts';
import {
  type FileLayout,
  PHYSICAL_TYPES,
  type RowGroupLayout,
  readLayout,
  type SchemaNode,
} from './layout.ts';
import { FileSource, MemoryBudget } from './source.ts';

/** A column as the file declares it. */
export interface ParquetColumn {
  readonly name: string;
  /** `other` is what an export has not: such columns are not read. */
  readonly type: ColumnType | 'other';
  /** The type in words, such as `INT32` or `BYTE_ARRAY`. */
  readonly declared: string;
  readonly nullable: boolean;
}

/** Options of `ServerMetricsParquetReader.batches`. */
export interface BatchOptions {
  /** Names of the columns to read; all by default. Names that the file does not have are left out. */
  readonly columns?: readonly string[];
  /** Rows of a batch at most, 65,536 by default. */
  readonly batchRows?: number;
}

/** Some rows of a row group, column by column. */
export interface RowBatch {
  readonly rows: number;
  readonly rowGroup: number;
  /** Index in the file of the first row. */
  readonly firstRow: number;
  readonly columns: ReadonlyMap<string, ColumnValues>;
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
const MAGIC = 'PAR1';
/** 5,000 row groups with 30 columns have a footer of about 15 MB. */
const MAX_FOOTER = 1 << 26;
/** What all columns may hold unpacked at once; writers make pages of about 1 MB. */
const MAX_HELD = 1 << 28;
/** Even a file of constants needs a byte for some hundred rows: its timestamps and buckets differ. */
const MAX_ROWS_PER_BYTE = 1024;

/**
 * Opens a Parquet export of server metrics: one of ours, of AIPerf's, or a copy by DuckDB or others.
 *
 * Known are the codecs UNCOMPRESSED, SNAPPY, GZIP, BROTLI and, from Node 22.15 on, ZSTD; data pages of version 1 and 2;
 * and all encodings that writers use for strings, doubles and 64-bit integers.
 *
 * @throws {ParquetError} when it is not a Parquet file or its footer is broken
 * @throws the file system's error when it cannot be opened
 */
export async function readServerMetricsParquet(path: string): Promise<ServerMetricsParquetReader> {
  const source = await FileSource.open(path);
  try {
    return new FileReader(source, await readFooter(source));
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function readFooter(source: FileSource): Promise<FileLayout> {
  const { size } = source;
  if (size < 12)
    throw new ParquetError('magic', `a file of ${size} bytes is no Parquet file; 12 are the least`);
  const head = Buffer.from(await source.read(0, 4)).toString('latin1');
  const tail = Buffer.from(await source.read(size - 8, 8));
  const end = tail.toString('latin1', 4);
  if (head !== MAGIC || end !== MAGIC) {
    throw new ParquetError(
      'magic',
      `a Parquet file begins and ends with ${MAGIC}; this one has ${JSON.stringify(head)} and ${JSON.stringify(end)}, so it is another kind of file or was cut off`,
    );
  }
  const length = tail.readUInt32LE(0);
  if (length > size - 12) {
    throw new ParquetError('footer', `the footer says it has ${length} bytes in a file of ${size}`);
  }
  if (length > MAX_FOOTER) {
    throw new ParquetError('limit', `a footer of ${length} bytes; ${MAX_FOOTER} at most are read`);
  }
  const layout = readLayout(await source.read(size - 8 - length, length), size);
  if (layout.rows > size * MAX_ROWS_PER_BYTE) {
    throw new ParquetError(
      'limit',
      `a file of ${size} bytes cannot hold the ${layout.rows} rows that it claims`,
    );
  }
  return layout;
}

class FileReader implements ServerMetricsParquetReader {
  readonly rows: number;
  readonly rowGroups: number;
  readonly columns: readonly ParquetColumn[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly createdBy: string | undefined;
  readonly #source: FileSource;
  readonly #layout: FileLayout;

  constructor(source: FileSource, layout: FileLayout) {
    this.#source = source;
    this.#layout = layout;
    this.rows = layout.rows;
    this.rowGroups = layout.rowGroups.length;
    this.columns = layout.leaves.map(leaf => columnOf(leaf, layout.isFlat));
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
    return this.columns.flatMap((column, i) => {
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

function columnOf(leaf: SchemaNode, isFlat: boolean): ParquetColumn {
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1] ?? 'no type';
  return { name: leaf.name, type: typeOf(leaf, isFlat), declared, nullable: leaf.repetition !== 0 };
}

function typeOf(leaf: SchemaNode, isFlat: boolean): ColumnType | 'other' {
  if (!isFlat || leaf.isAnnotated) return 'other';
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1];
  if (declared === 'INT64') return 'int64';
  if (declared === 'DOUBLE') return 'double';
  return declared === 'BYTE_ARRAY' && leaf.isText ? 'string' : 'other';
}

/** The strings of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function textsOf(batch: RowBatch, column: string): TextValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'string') throw noColumn(batch, column, 'string');
  return values;
}

/** The doubles of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function doublesOf(batch: RowBatch, column: string): DoubleValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'double') throw noColumn(batch, column, 'double');
  return values;
}

/** The 64-bit integers of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function int64sOf(batch: RowBatch, column: string): Int64Values {
  const values = batch.columns.get(column);
  if (values?.type !== 'int64') throw noColumn(batch, column, 'int64');
  return values;
}

function noColumn(batch: RowBatch, column: string, type: ColumnType): RangeError {
  const there = Array.from(batch.columns, ([name, values]) => `${name} (${values.type})`).join(', ');
  return new RangeError(`no column ${JSON.stringify(column)} of type ${type} was read; there are ${there}`);
}
