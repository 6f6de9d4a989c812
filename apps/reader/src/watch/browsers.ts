import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LivePage } from './livePage.ts';

/** A browser with more unsent bytes than this skips updates, so that a slow one does not fill the memory. */
const MAX_UNSENT_BYTES = 4 * 2 ** 20;

/** A browser that shows the page, and the version of the page that it has. */
interface Browser {
  readonly response: ServerResponse;
  version: number;
}

/** Sends the changes of a page to all browsers that show it, as server-sent events. */
export class Browsers {
  readonly #page: LivePage;
  readonly #browsers = new Set<Browser>();
  #timer: NodeJS.Timeout | undefined;

  constructor(page: LivePage) {
    this.#page = page;
  }

  get count(): number {
    return this.#browsers.size;
  }

  /** Sends all further changes to a browser. The page is read only while there is a browser. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const browser: Browser = { response, version: readVersion(request) };
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.write('retry: 1000\n\n');
    this.#browsers.add(browser);
    response.on('close', () => this.#browsers.delete(browser));
    response.on('error', () => this.#browsers.delete(browser));
    this.#send(browser);
    this.#schedule();
  }

  /** Sends the final state to all browsers. */
  async sendFinal(): Promise<void> {
    await this.#page.refreshNow();
    for (const browser of this.#browsers) this.#send(browser);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const { response } of this.#browsers) response.end();
    this.#browsers.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#browsers.size === 0) return;
    this.#timer = setTimeout(() => void this.#tick(), this.#page.waitMs);
  }

  async #tick(): Promise<void> {
    // A run that cannot be read is described by the page itself, and by `watch` at its start.
    await this.#page.refreshNow().catch(() => {});
    for (const browser of this.#browsers) this.#send(browser);
    this.#timer = undefined;
    this.#schedule();
  }

  #send(browser: Browser): void {
    const { response, version } = browser;
    if (response.writableLength > MAX_UNSENT_BYTES) return;
    const update = this.#page.createUpdate(version);
    response.write(`id: ${update.version}\nevent: sections\ndata: ${JSON.stringify(update)}\n\n`);
    browser.version = update.version;
  }
}

/** Returns the version that a browser has, from its last event or from the address. */
function readVersion({ headers, url = '' }: IncomingMessage): number {
  const text = headers['last-event-id'] ?? /[?&]after=(\d+)/.exec(url)?.[1];
  const version = Number(text);
  return Number.isSafeInteger(version) && version >= 0 ? version : 0;
}
