import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Resolves the compared libraries, which are development dependencies of the formats package. */
const require = createRequire(fileURLToPath(import.meta.resolve('@org/formats')));

interface ParquetJs {
  readonly ParquetSchema: new (fields: Record<string, object>) => object;
  readonly ParquetWriter: {
    openFile(
      schema: object,
      path: string,
    ): Promise<{ appendRow(row: object): Promise<void>; close(): Promise<void> }>;
  };
  readonly ParquetReader: {
    openFile(path: string): Promise<AsyncIterable<object> & { close(): Promise<void> }>;
  };
}

interface DuckDB {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown> }> }>;
  };
}

interface Hyparquet {
  asyncBufferFromFile(path: string): Promise<object>;
  parquetRead(options: {
    file: object;
    onChunk: (chunk: { columnData: ArrayLike<unknown> }) => void;
  }): Promise<void>;
}

export function loadParquetJs(): ParquetJs {
  return require('@dsnp/parquetjs') as ParquetJs;
}

export function loadDuckDB(): DuckDB {
  return require('@duckdb/node-api') as DuckDB;
}

export async function loadHyparquet(): Promise<Hyparquet> {
  return (await import(require.resolve('hyparquet'))) as Hyparquet;
}
