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
 * A keep-alive connection to one server. The connection is dropped after every failure, so that the next
 * request resolves the host name again and picks up DNS changes.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  /** Clients by origin. There are two if the server redirects from http to https. */
  #clients = new Map<string, Undici.Client>();
  #address: string | undefined;
  #tlsError: Error | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The IP address of the most recent connection. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * The TLS error of the current connection, such as an alert of the server. undici reports only that the
   * connection was closed.
   */
  get tlsError(): Error | undefined {
    return this.#tlsError;
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
    this.#tlsError = undefined;
    // The failure that caused the drop has already been reported.
    this.close().catch(() => {});
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(client => client.destroy()));
  }

  #createClient(origin: string): Undici.Client {
    const { timeoutMs, tls, lookup } = this.#options;
    const isPlainHttp = origin.startsWith('http:');
    const connect = buildConnector({
      timeout: timeoutMs,
      ...(lookup ? { lookup } : {}),
      ...(isPlainHttp ? { onread: sharedReadOptions } : {}),
      ...(tls?.context ? { secureContext: tls.context } : {}),
      ...(tls?.insecure ? { rejectUnauthorized: false } : {}),
    });
    return new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: 60_000,
      // No timeouts here: `Deadline` limits the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        connect(options, (...[error, socket]: Parameters<Undici.buildConnector.Callback>) => {
          if (socket) this.#watch(socket);
          if (socket && isPlainHttp) attachSharedReads(socket);
          (callback as (error: Error | null, socket: Socket | null) => void)(error, socket);
        }),
    });
  }

  /** Records the address and TLS errors of a new connection. */
  #watch(socket: Socket): void {
    this.#address = socket.remoteAddress ?? this.#address;
    this.#tlsError = undefined;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ERR_SSL_') === true) this.#tlsError = error;
    });
  }
}
