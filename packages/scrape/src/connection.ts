import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Trust } from './trust.ts';

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
  #agent: Agent;
  #address: string | undefined;
  #alert: Error | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#agent = this.#newAgent();
  }

  /** The IP address that was connected to last. */
  get address(): string | undefined {
    return this.#address;
  }

  /** What the server said in TLS when it ended the connection; the HTTP layer knows only that it did. */
  get alert(): Error | undefined {
    return this.#alert;
  }

  request(
    options: Dispatcher.RequestOptions & { readonly origin: string },
  ): Promise<Dispatcher.ResponseData> {
    return this.#agent.request(options);
  }

  /** Drops the connection, if there is one. */
  renew(): void {
    this.#alert = undefined;
    const given = this.#agent;
    this.#agent = this.#newAgent();
    // Its failure is known already.
    given.destroy().catch(() => {});
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #newAgent(): Agent {
    const { timeoutMs, trust, lookup } = this.#options;
    const connect = buildConnector({
      timeout: timeoutMs,
      ...(lookup ? { lookup } : {}),
      ...(trust?.context ? { secureContext: trust.context } : {}),
      ...(trust?.insecure ? { rejectUnauthorized: false } : {}),
    });
    return new Agent({
      connections: 1,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      // The whole exchange has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
          if (socket) this.#watch(socket);
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
