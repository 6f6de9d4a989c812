import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { RunClock } from '../clock.ts';

/** How connections are made. */
export interface ConnectOptions {
  /** Longest time for lookup, TCP and TLS together, ms. */
  readonly connectTimeoutMs: number;
  /** Whether a certificate must be valid for its host. */
  readonly verifyTls: boolean;
  /** Certificates of authorities (PEM) that are trusted instead of those that Node trusts. */
  readonly ca?: string | readonly string[];
  /** Our own certificate and its key (PEM). */
  readonly cert?: string;
  readonly key?: string;
}

/** When the steps of one connect happened, ns of the run; a step that was not needed is undefined. */
export interface ConnectTimes {
  startNs: number;
  lookupStartNs?: number;
  lookupEndNs?: number;
  /** TCP is there. */
  connectedNs?: number;
  /** TLS is there. */
  securedNs?: number;
}

/** Takes what a connect left behind: its times, and the socket that carries the bytes. */
export type ConnectWatcher = (times: ConnectTimes, socket: Socket) => void;

/**
 * Connects by undici's own connector, in two steps for TLS, so that the lookup, TCP and TLS each have their time.
 */
export function timedConnector(
  clock: RunClock,
  own: ConnectOptions,
  watcher: ConnectWatcher,
): buildConnector.connector {
  const { connectTimeoutMs, verifyTls } = own;
  return (options, callback) => {
    const times: ConnectTimes = { startNs: clock.now() };
    const plain = buildConnector({ timeout: connectTimeoutMs, lookup: timedLookup(clock, times) });
    const done = (socket: Socket): void => {
      watcher(times, socket);
      callback(null, socket);
    };
    plain(
      { ...options, protocol: 'http:', port: options.port || defaultPort(options.protocol) },
      (...result) => {
        if (result[0]) return callback(result[0], null);
        times.connectedNs = clock.now();
        if (options.protocol !== 'https:') return done(result[1]!);
        const leftMs = Math.max(1, connectTimeoutMs - (times.connectedNs - times.startNs) / 1e6);
        const secure = buildConnector({
          timeout: leftMs,
          rejectUnauthorized: verifyTls,
          ...contextOf(own),
        });
        secure({ ...options, httpSocket: result[1]! }, (...secured) => {
          if (secured[0]) return callback(secured[0], null);
          times.securedNs = clock.now();
          done(secured[1]!);
        });
      },
    );
  };
}

const CONTEXTS = new WeakMap<ConnectOptions, SecureContext>();

/** Certificates are read once for all connections: a hundred of them would make each connect late. */
function contextOf(options: ConnectOptions): { secureContext?: SecureContext } {
  const { ca, cert, key } = options;
  if (ca === undefined && cert === undefined) return {};
  let secureContext = CONTEXTS.get(options);
  if (!secureContext) {
    secureContext = createSecureContext({
      ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    });
    CONTEXTS.set(options, secureContext);
  }
  return { secureContext };
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

function timedLookup(clock: RunClock, times: ConnectTimes): LookupFunction {
  return (hostname, options, callback) => {
    times.lookupStartNs = clock.now();
    lookup(hostname, options, (error, ...found) => {
      times.lookupEndNs = clock.now();
      callback(error, ...(found as [string, number]));
    });
  };
}
