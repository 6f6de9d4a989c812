import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { RunClock } from '../clock.ts';

/** Options for opening connections. */
export interface ConnectOptions {
  /** Timeout for DNS lookup, TCP and TLS together, in ms. */
  readonly connectTimeoutMs: number;
  /** Verify the server's certificate. */
  readonly verifyTls: boolean;
  /** CA certificates (PEM) to trust instead of Node's default list. */
  readonly ca?: string | readonly string[];
  /** Client certificate and key (PEM). */
  readonly cert?: string;
  readonly key?: string;
}

/** Times of opening one connection, in ns since the run's origin; undefined for steps that were not needed. */
export interface ConnectTimes {
  startNs: number;
  lookupStartNs?: number;
  lookupEndNs?: number;
  /** When the TCP connection was established. */
  connectedNs?: number;
  /** When the TLS handshake was complete. */
  securedNs?: number;
}

/** Receives the times and the socket of a connection that was opened. */
export type OnConnected = (times: ConnectTimes, socket: Socket) => void;

/**
 * Creates a connector for undici that connects in two steps, so that DNS lookup, TCP and TLS are timed
 * separately.
 */
export function createTimedConnector(
  clock: RunClock,
  connectOptions: ConnectOptions,
  onConnected: OnConnected,
): buildConnector.connector {
  const { connectTimeoutMs, verifyTls } = connectOptions;
  return (options, callback) => {
    const times: ConnectTimes = { startNs: clock.nowNs() };
    const connectTcp = buildConnector({ timeout: connectTimeoutMs, lookup: createTimedLookup(clock, times) });
    const finish = (socket: Socket): void => {
      onConnected(times, socket);
      callback(null, socket);
    };
    connectTcp(
      { ...options, protocol: 'http:', port: options.port || chooseDefaultPort(options.protocol) },
      (...tcpResult) => {
        if (tcpResult[0]) return callback(tcpResult[0], null);
        times.connectedNs = clock.nowNs();
        if (options.protocol !== 'https:') return finish(tcpResult[1]!);
        const remainingMs = Math.max(1, connectTimeoutMs - (times.connectedNs - times.startNs) / 1e6);
        const connectTls = buildConnector({
          timeout: remainingMs,
          rejectUnauthorized: verifyTls,
          ...readSecureContext(connectOptions),
        });
        connectTls({ ...options, httpSocket: tcpResult[1]! }, (...tlsResult) => {
          if (tlsResult[0]) return callback(tlsResult[0], null);
          times.securedNs = clock.nowNs();
          finish(tlsResult[1]!);
        });
      },
    );
  };
}

const CONTEXTS = new WeakMap<ConnectOptions, SecureContext>();

/**
 * Returns the TLS context for the options. Certificates are parsed only once, because parsing a CA bundle
 * delays connecting.
 */
function readSecureContext(options: ConnectOptions): { secureContext?: SecureContext } {
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

function chooseDefaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

function createTimedLookup(clock: RunClock, times: ConnectTimes): LookupFunction {
  return (hostname, options, callback) => {
    times.lookupStartNs = clock.nowNs();
    lookup(hostname, options, (error, ...addresses) => {
      times.lookupEndNs = clock.nowNs();
      callback(error, ...(addresses as [string, number]));
    });
  };
}
