/**
 * The process that serves the page of a run for `--web`. It is separate, so that building the page takes no time from the
 * run. It ends when the run has ended and the browsers have the final page, or when no browser is left.
 */

import { type LiveServer, startLiveServer } from '@org/reader/watch';
import { lowerPriority } from './lowPriority.ts';
import { openPage } from './openPage.ts';
import type { WatchMessage } from './watchChild.ts';

/** The interval at which browsers are counted after the process of the run has ended, in milliseconds. */
const POLL_MS = 500;
/** The number of intervals without a browser before this process ends, so that the page can be reloaded. */
const MAX_EMPTY_POLLS = 10;

const [folder, port, sinceMs] = process.argv.slice(2);
// Ctrl-C in a terminal reaches this process, too. It ends when the run has ended.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
lowerPriority();
const page = openPage(folder!, Number(sinceMs));
void serve();

async function serve(): Promise<void> {
  try {
    const server = await startLiveServer(page, Number(port));
    send({ url: server.url });
    process.once('disconnect', () => void finish(server));
    if (!process.connected) await finish(server);
  } catch (error) {
    send({ problem: (error as Error).message });
    process.disconnect?.();
  }
}

function send(message: WatchMessage): void {
  process.send?.(message);
}

/** Ends this process after the process of the run. If that was killed, the browsers can still show what it has written. */
async function finish(server: LiveServer): Promise<void> {
  let emptyPolls = 0;
  while (emptyPolls < MAX_EMPTY_POLLS && server.browsers > 0) {
    await page.refreshNow().catch(() => {});
    if (page.hasEnded) break;
    emptyPolls = server.browsers > 0 ? 0 : emptyPolls + 1;
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  await server.finish();
  process.exit(0);
}
