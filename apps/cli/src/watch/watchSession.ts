import { resolve } from 'node:path';
import { PortError, startLiveServer } from '@org/reader/watch';
import { checkWatchedFolder } from '@org/run/follow';
import { toPrintable, UsageError } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import { Interruption } from '../process/interruption.ts';
import { lowerPriority } from './lowPriority.ts';
import { openPage } from './openPage.ts';

/** Options of `servelens watch`. */
export interface WatchOptions {
  /** Folder of the run, as the user wrote it. */
  readonly name: string;
  /** Port of the page; 0 is a free port. */
  readonly port: number;
  /** True to print the address as JSON to stdout. */
  readonly isJson: boolean;
}

/** Runs `servelens watch`: serves the page of a run until Ctrl-C. Returns the exit code. */
export async function runWatch({ name, port, isJson }: WatchOptions, io: Io): Promise<number> {
  const interruption = new Interruption();
  try {
    const folder = resolve(io.cwd, name);
    await checkWatchedFolder(folder);
    lowerPriority();
    const page = openPage(folder);
    await withReadErrors(() => page.refreshNow());
    const server = await startLiveServer(page, port).catch(error => {
      throw error instanceof PortError ? new UsageError(`--port: ${error.message}`) : error;
    });
    if (isJson) io.stdout.write(`${JSON.stringify({ folder, url: server.url }, null, 2)}\n`);
    else io.stderr.write(`${toPrintable(`${name}: ${server.url}`)}\n`);
    await waitForAbort(interruption.signal);
    await server.close();
    return 0;
  } finally {
    interruption.release();
  }
}

/** Converts errors about the files of a run, which are for the user. */
async function withReadErrors(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    const isKnown = error instanceof Error && ['RunError', 'FormatError'].includes(error.name);
    throw isKnown ? new UsageError(error.message) : error;
  }
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
}
