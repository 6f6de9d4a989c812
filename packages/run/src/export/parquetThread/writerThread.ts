/** The main module of the worker thread that `ThreadWriter` starts. Its `workerData` is a `WriterTask`. */
import { parentPort, workerData } from 'node:worker_threads';
import { openServerMetricsParquet, type ServerMetricsParquetWriter } from '@org/formats/parquet';
import { type FromWriter, passError, type ToWriter, type WriterTask } from './messages.ts';
import { unpackSeries } from './seriesMessage.ts';

const port = parentPort;
if (!port) throw new Error('BUG: the worker thread was started as a program');
const post = (message: FromWriter): void => port.postMessage(message);

const { path, options } = workerData as WriterTask;
/** Messages are handled one after the other. After an error, only `abort` is handled. */
let work = openServerMetricsParquet(path, options).then(writer => {
  post({ type: 'opened' });
  return writer;
}, fail);
port.on('message', (message: ToWriter) => {
  work = work.then(writer => handle(message, writer));
});

async function handle(
  message: ToWriter,
  writer: ServerMetricsParquetWriter | undefined,
): Promise<ServerMetricsParquetWriter | undefined> {
  if (message.type === 'abort') return await abort(writer);
  if (!writer) return undefined;
  try {
    if (message.type === 'series') {
      for (const series of unpackSeries(message.message)) await writer.appendSeries(series);
      post({ type: 'written' });
      return writer;
    }
    post({ type: 'closed', summary: await writer.close(message.metadata) });
    port!.close();
  } catch (error) {
    fail(error);
    await writer.abort();
  }
  return undefined;
}

async function abort(writer: ServerMetricsParquetWriter | undefined): Promise<undefined> {
  await writer?.abort();
  port!.close();
}

function fail(error: unknown): undefined {
  post({ type: 'failed', error: passError(error) });
}
