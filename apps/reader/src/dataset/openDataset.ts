import type { DuckDBConnection } from '@duckdb/node-api';
import { RunError } from '@org/analysis/files';
import { type Database, openConnection } from '../query/database.ts';
import { ExportGuard } from '../query/exportGuard.ts';
import { createMacros } from '../query/macros.ts';
import { quoteLiteral } from '../query/views.ts';
import { DATASET_TABLES, type DatasetTable, listParts } from './datasetFolder.ts';

/**
 * Opens an in-memory DuckDB database with a view for each table of a dataset, or for those that `sql` names. A view reads the
 * footers of all files of its table.
 *
 * @throws RunError if DuckDB is not installed, or the dataset is empty
 */
export async function openDataset(folder: string, sql?: string): Promise<Database> {
  // Every run has a row in this table.
  if ((await listParts(folder, 'runs')).length === 0)
    throw new RunError(`${JSON.stringify(folder)} contains no run; write some with servelens read dataset`);
  const source = { run: folder, parquet: `${folder}/**/*.parquet`, partitioned: true };
  const { connection, close } = await openConnection();
  try {
    const columns = new Set<string>();
    for (const statement of createMacros()) await connection.run(statement);
    for (const table of selectTables(sql))
      for (const column of await createTableView(connection, folder, table)) columns.add(column);
    return {
      connection,
      columns: [...columns],
      sources: [source],
      tables: { load: async () => [] },
      notes: [],
      guard: await ExportGuard.create([source]),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Selects the tables that `sql` names. SQL without a name, such as `SHOW TABLES`, may need any of them. */
function selectTables(sql: string | undefined): readonly DatasetTable[] {
  const named = DATASET_TABLES.filter(table => sql && new RegExp(`\\b${table}\\b`, 'i').test(sql));
  return named.length > 0 ? named : DATASET_TABLES;
}

/** Creates the view of a table. Returns its columns; none if the table has no files. */
async function createTableView(
  connection: DuckDBConnection,
  folder: string,
  table: DatasetTable,
): Promise<string[]> {
  const files = (await listParts(folder, table)).map(quoteLiteral);
  if (files.length === 0) return [];
  // Names of runs that look like numbers or dates remain texts.
  const options = "union_by_name = true, hive_partitioning = true, hive_types = {'run': VARCHAR}";
  await connection.run(
    `CREATE VIEW ${table} AS SELECT * FROM read_parquet([${files.join(', ')}], ${options})`,
  );
  const description = await connection.runAndReadAll(`DESCRIBE ${table}`);
  return description.getRows().map(([name]) => String(name));
}
