import { statSync } from 'node:fs';
import {
  openServerMetricsParquet,
  planLabelColumns,
  readServerMetricsParquet,
  type SeriesChunk,
  validateParquet,
} from '@org/formats/parquet';
import { generateSeries } from '../exports/syntheticSeries.ts';
import { loadDuckDB, loadHyparquet, loadParquetJs } from '../peers/parquetLibraries.ts';

/** Measurement of one task. */
export interface TaskMeasurement {
  readonly rows: number;
  readonly seconds: number;
  /** Size of the written file in bytes. */
  readonly bytes?: number;
}

/** A task. The task `write servelens` writes `file`, which other tasks read. Other writing tasks write `peerFile`. */
export type Task = (rows: number, file: string, peerFile: string) => Promise<TaskMeasurement>;

const LABELS = planLabelColumns(['engine', 'model_name']).columns;

/** The tasks by name, in order of execution. */
export const tasks: Readonly<Record<string, Task>> = {
  'write servelens': async (rows, file) => {
    const stopwatch = new Stopwatch();
    const writer = await openServerMetricsParquet(file, { labelColumns: LABELS, metadata: [] });
    for (const chunk of generateSeries(rows)) await stopwatch.time(() => writer.appendSeries(chunk));
    const summary = await stopwatch.time(() => writer.close());
    return { rows: summary.rows, seconds: stopwatch.seconds, bytes: summary.bytes };
  },

  'write @dsnp/parquetjs appendRow': async (rows, _, peerFile) => {
    const { ParquetSchema, ParquetWriter } = loadParquetJs();
    const writer = await ParquetWriter.openFile(new ParquetSchema(createParquetJsFields()), peerFile);
    const stopwatch = new Stopwatch();
    let count = 0;
    for (const chunk of generateSeries(rows)) {
      const objects = [...createRows(chunk)];
      count += objects.length;
      await stopwatch.time(async () => {
        for (const row of objects) await writer.appendRow(row);
      });
    }
    await stopwatch.time(() => writer.close());
    return { rows: count, seconds: stopwatch.seconds, bytes: statSync(peerFile).size };
  },

  'write DuckDB COPY': async (_, file, peerFile) => {
    const connection = await (await loadDuckDB().DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE rows AS FROM '${file}'`);
    const stopwatch = new Stopwatch();
    await stopwatch.time(() =>
      connection.run(`COPY rows TO '${peerFile}' (FORMAT parquet, COMPRESSION snappy)`),
    );
    return { rows: await countRows(file), seconds: stopwatch.seconds, bytes: statSync(peerFile).size };
  },

  'read servelens': async (_, file) => {
    const stopwatch = new Stopwatch();
    let rows = 0;
    await stopwatch.time(async () => {
      for await (const batch of await readServerMetricsParquet(file)) rows += batch.rows;
    });
    return { rows, seconds: stopwatch.seconds };
  },

  'read hyparquet': async (_, file) => {
    const { asyncBufferFromFile, parquetRead } = await loadHyparquet();
    const stopwatch = new Stopwatch();
    let values = 0;
    await stopwatch.time(async () => {
      const onChunk = ({ columnData }: { columnData: ArrayLike<unknown> }) => {
        values += columnData.length;
      };
      await parquetRead({ file: await asyncBufferFromFile(file), onChunk });
    });
    return { rows: values / (11 + LABELS.length), seconds: stopwatch.seconds };
  },

  'read @dsnp/parquetjs': async (_, file) => {
    const stopwatch = new Stopwatch();
    let rows = 0;
    await stopwatch.time(async () => {
      const reader = await loadParquetJs().ParquetReader.openFile(file);
      for await (const _row of reader) rows++;
      await reader.close();
    });
    return { rows, seconds: stopwatch.seconds };
  },

  'validate servelens': async (_, file) => {
    const stopwatch = new Stopwatch();
    await stopwatch.time(() => validateParquet(file));
    return { rows: await countRows(file), seconds: stopwatch.seconds };
  },
};

/** Adds up the elapsed time of measured work, to exclude the time to create the rows. */
class Stopwatch {
  seconds = 0;

  async time<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.seconds += (performance.now() - start) / 1000;
    return result;
  }
}

async function countRows(file: string): Promise<number> {
  const reader = await readServerMetricsParquet(file);
  await reader.close();
  return reader.rows;
}

function createParquetJsFields(): Record<string, object> {
  const createTextField = (optional: boolean) => ({ type: 'UTF8', compression: 'SNAPPY', optional });
  const double = { type: 'DOUBLE', compression: 'SNAPPY', optional: true };
  return {
    endpoint_url: createTextField(false),
    metric_name: createTextField(false),
    metric_type: createTextField(false),
    unit: createTextField(true),
    description: createTextField(true),
    timestamp_ns: { type: 'INT64', compression: 'SNAPPY' },
    ...Object.fromEntries(LABELS.map(label => [label, createTextField(true)])),
    value: double,
    sum: double,
    count: double,
    bucket_le: createTextField(true),
    bucket_count: double,
  };
}

/** Yields the rows of a chunk as objects; null fields are omitted. */
function* createRows(chunk: SeriesChunk): Generator<object> {
  const common = {
    endpoint_url: chunk.endpointUrl,
    metric_name: chunk.metricName,
    metric_type: chunk.metricType,
    ...(chunk.unit !== null && { unit: chunk.unit }),
    description: chunk.description,
    ...Object.fromEntries(chunk.labels),
  };
  const { values, histogram } = chunk;
  for (let i = 0; i < chunk.timestampsNs.length; i++) {
    const timestamp_ns = chunk.timestampsNs[i];
    if (values) yield { ...common, timestamp_ns, value: values[i] };
    if (!histogram) continue;
    const { sums, counts, bounds, bucketCounts } = histogram;
    for (let bucket = 0; bucket < bounds.length; bucket++) {
      yield {
        ...common,
        timestamp_ns,
        sum: sums![i],
        count: counts[i],
        bucket_le: bounds[bucket],
        bucket_count: bucketCounts[bucket]![i],
      };
    }
  }
}
