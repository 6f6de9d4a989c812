import { statSync } from 'node:fs';
import {
  openServerMetricsParquet,
  planLabelColumns,
  readServerMetricsParquet,
  type SeriesChunk,
  validateParquet,
} from '@org/formats/parquet';
import { duckdb, hyparquet, parquetJs } from './peers.ts';
import { seriesOf } from './run.ts';

/** What one task measured. */
export interface Measured {
  readonly rows: number;
  readonly seconds: number;
  /** Size of the file that was written. */
  readonly bytes?: number;
}

/** A task gets the number of rows, the file of the servelens writer and a path of its own. */
export type Task = (rows: number, file: string, own: string) => Promise<Measured>;

const LABELS = planLabelColumns(['engine', 'model_name']).columns;

export const tasks: Readonly<Record<string, Task>> = {
  'write servelens': async (rows, file) => {
    const clock = new Clock();
    const writer = await openServerMetricsParquet(file, { labelColumns: LABELS, metadata: [] });
    for (const chunk of seriesOf(rows)) await clock.time(() => writer.appendSeries(chunk));
    const summary = await clock.time(() => writer.close());
    return { rows: summary.rows, seconds: clock.seconds, bytes: summary.bytes };
  },

  'write @dsnp/parquetjs appendRow': async (rows, _, own) => {
    const { ParquetSchema, ParquetWriter } = parquetJs();
    const writer = await ParquetWriter.openFile(new ParquetSchema(parquetJsFields()), own);
    const clock = new Clock();
    let count = 0;
    for (const chunk of seriesOf(rows)) {
      const objects = [...rowsOf(chunk)];
      count += objects.length;
      await clock.time(async () => {
        for (const row of objects) await writer.appendRow(row);
      });
    }
    await clock.time(() => writer.close());
    return { rows: count, seconds: clock.seconds, bytes: statSync(own).size };
  },

  'write DuckDB COPY': async (_, file, own) => {
    const connection = await (await duckdb().DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE rows AS FROM '${file}'`);
    const clock = new Clock();
    await clock.time(() => connection.run(`COPY rows TO '${own}' (FORMAT parquet, COMPRESSION snappy)`));
    return { rows: await rowsIn(file), seconds: clock.seconds, bytes: statSync(own).size };
  },

  'read servelens': async (_, file) => {
    const clock = new Clock();
    let rows = 0;
    await clock.time(async () => {
      for await (const batch of await readServerMetricsParquet(file)) rows += batch.rows;
    });
    return { rows, seconds: clock.seconds };
  },

  'read hyparquet': async (_, file) => {
    const { asyncBufferFromFile, parquetRead } = await hyparquet();
    const clock = new Clock();
    let values = 0;
    await clock.time(async () => {
      const onChunk = ({ columnData }: { columnData: ArrayLike<unknown> }) => {
        values += columnData.length;
      };
      await parquetRead({ file: await asyncBufferFromFile(file), onChunk });
    });
    return { rows: values / (11 + LABELS.length), seconds: clock.seconds };
  },

  'read @dsnp/parquetjs': async (_, file) => {
    const clock = new Clock();
    let rows = 0;
    await clock.time(async () => {
      const reader = await parquetJs().ParquetReader.openFile(file);
      for await (const _row of reader) rows++;
      await reader.close();
    });
    return { rows, seconds: clock.seconds };
  },

  'validate servelens': async (_, file) => {
    const clock = new Clock();
    await clock.time(() => validateParquet(file));
    return { rows: await rowsIn(file), seconds: clock.seconds };
  },
};

/** Adds up the time of what is measured, without that of making the data. */
class Clock {
  seconds = 0;

  async time<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.seconds += (performance.now() - start) / 1000;
    return result;
  }
}

async function rowsIn(file: string): Promise<number> {
  const reader = await readServerMetricsParquet(file);
  await reader.close();
  return reader.rows;
}

function parquetJsFields(): Record<string, object> {
  const text = (optional: boolean) => ({ type: 'UTF8', compression: 'SNAPPY', optional });
  const double = { type: 'DOUBLE', compression: 'SNAPPY', optional: true };
  return {
    endpoint_url: text(false),
    metric_name: text(false),
    metric_type: text(false),
    unit: text(true),
    description: text(true),
    timestamp_ns: { type: 'INT64', compression: 'SNAPPY' },
    ...Object.fromEntries(LABELS.map(label => [label, text(true)])),
    value: double,
    sum: double,
    count: double,
    bucket_le: text(true),
    bucket_count: double,
  };
}

/** The rows of a chunk as objects; what is null is left out. */
function* rowsOf(chunk: SeriesChunk): Generator<object> {
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
        sum: sums[i],
        count: counts[i],
        bucket_le: bounds[bucket],
        bucket_count: bucketCounts[bucket]![i],
      };
    }
  }
}
