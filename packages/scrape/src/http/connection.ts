import type { LookupFunction, Socket } from 'node:net';
import type * as Undici from 'undici';
import type { TlsConfig } from '../credentials/tlsConfig.ts';
import { attachSharedReads, sharedReadOptions } from './sharedReadBuffer.ts';
import { buildConnector, Client } from './undiciClient.ts';

/** Resolves a host name, with the signature of `dns.lookup`. */
export type Lookup = LookupFunction;

export interface ConnectionOptions {
  /** Connect timeout, in milliseconds. */
  readonly timeoutMs: number;
  readonly tls?: TlsConfig;
  /** Resolves host names. Defaults to `dns.lookup`. */
  readonly lookup?: Lookup;
}

/**
 * A keep-alive connection to one server. It is dropped after every failure, so that the next request resolves
 * the host name again and follows DNS changes.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  /** Clients by origin. There is more than one only if a redirect led from http to https. */
  #clients = new Map<string, Undici.Client>();
  #address: string | undefined;
  #alert: Error | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The IP address of the most recent connection. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * The TLS alert that the server sent before closing the connection. The HTTP layer reports only the closed
   * connection.
   */
  get alert(): Error | undefined {
    return this.#alert;
  }

  /** Sends a request and passes the response to `handler`. */
  send(
    origin: string,
    request: Undici.Dispatcher.DispatchOptions,
    handler: Undici.Dispatcher.DispatchHandler,
  ): void {
    let client = this.#clients.get(origin);
    if (!client) {
      client = this.#createClient(origin);
      this.#clients.set(origin, client);
    }
    client.dispatch(request, handler);
  }

  /** Drops the current connection, if any. */
  drop(): void {
    this.#alert = undefined;
    // The failure that led here has already been reported.
    this.close().catch(() => {});
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(client => client.destroy()));
  }

  #createClient(origin: string): Undici.Client {
    const { timeoutMs, tls, lookup } = this.#options;
    const isPlain = origin.startsWith('http:');
    const connect = buildConnector({
      timeout: timeoutMs,
      ...(lookup ? { lookup } : {}),
      ...(isPlain ? { onread: sharedReadOptions } : {}),
      ...(tls?.context ? { secureContext: tls.context } : {}),
      ...(tls?.insecure ? { rejectUnauthorized: false } : {}),
    });
    return new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: 60_000,
      // `Deadline` limits the whole exchange.
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
