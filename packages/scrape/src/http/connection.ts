import type { LookupFunction, Socket } from 'node:net';
import type * as Undici from 'undici';
import type { Trust } from '../credentials/trust.ts';
import { attachSharedReads, sharedReadOptions } from './sharedReadBuffer.ts';
import { buildConnector, Client } from './undiciClient.ts';

/** Resolves a host's name, as `dns.lookup` does. */
export type Lookup = LookupFunction;

export interface ConnectionOptions {
  /** What connecting may take, in ms. */
  readonly timeoutMs: number;
  readonly trust?: Trust;
  /** How names are resolved; as the system does it without. */
  readonly lookup?: Lookup;
}

/**
 * One kept-alive connection to one server. It is given up after every failure: the next request resolves the name anew, so
 * that no dead address outlives the scrape that found it dead.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  /** By origin; one, unless a redirect has led from http to https. */
  #clients = new Map<string, Undici.Client>();
  #address: string | undefined;
  #alert: Error | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The IP address that was connected to last. */
  get address(): string | undefined {
    return this.#address;
  }

  /** What the server said in TLS when it ended the connection; the HTTP layer knows only that it did. */
  get alert(): Error | undefined {
    return this.#alert;
  }

  /** Sends a request; what comes of it is told to `handler`. */
  send(
    origin: string,
    request: Undici.Dispatcher.DispatchOptions,
    handler: Undici.Dispatcher.DispatchHandler,
  ): void {
    let client = this.#clients.get(origin);
    if (!client) {
      client = this.#newClient(origin);
      this.#clients.set(origin, client);
    }
    client.dispatch(request, handler);
  }

  /** Drops the connection, if there is one. */
  renew(): void {
    this.#alert = undefined;
    // Its failure is known already.
    this.close().catch(() => {});
  }

  async close(): Promise<void> {
    const given = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(given.map(client => client.destroy()));
  }

  #newClient(origin: string): Undici.Client {
    const { timeoutMs, trust, lookup } = this.#options;
    const isPlain = origin.startsWith('http:');
    const connect = buildConnector({
      timeout: timeoutMs,
      ...(lookup ? { lookup } : {}),
      ...(isPlain ? { onread: sharedReadOptions } : {}),
      ...(trust?.context ? { secureContext: trust.context } : {}),
      ...(trust?.insecure ? { rejectUnauthorized: false } : {}),
    });
    return new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: 60_000,
      // The whole exchange has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        connect(options, (...[error, socket]: Parameters<Undici.buildConnector.Callback>) => {
          if (socket) this.#watch(socket);
          if (socket && isPlain) attachSharedReads(socket);
          (callback as (error: Error | null, socket: Socket | null) => void)(error, socket);
        }),
    });
  }

  #watch(socket: Socket): void {
    this.#address = socket.remoteAddress ?? this.#address;
    this.#alert = undefined;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ERR_SSL_') === true) this.#alert = error;
    });
  }
}
