import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { redactUrl } from '@org/core';
import { addScheme } from '../run/target.ts';

/** The address that connections are opened to, to measure the round trip to a server. */
export interface ProbeTarget {
  /** URL of the server, without secrets. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** A measurement: the duration of the TCP handshake of a new connection. */
export interface RoundTrip {
  readonly target: ProbeTarget;
  /** Start, in ms since 1970. */
  readonly atMs: number;
  /** Duration in ms; undefined if the connection failed. */
  readonly durationMs: number | undefined;
  /** Code and message of the failure. */
  readonly error?: { readonly type: string; readonly message: string };
}

/** Maximum duration of a handshake. */
const CONNECT_TIMEOUT_MS = 5000;
/** Minimum number of measurements of each target. A short run is extended for them, by at most `MAX_EXTENSION_MS`. */
const MIN_ROUND_TRIPS = 5;
const MAX_EXTENSION_MS = 3000;

/**
 * Measures the round trip to servers while they are under load, as the duration of TCP handshakes. Addresses are resolved
 * once, so that a measurement contains no name resolution and no TLS handshake.
 */
export class RoundTripProbe {
  readonly #targets: readonly ProbeTarget[];
  readonly #intervalMs: number;
  readonly #addresses = new Map<ProbeTarget, string>();
  readonly #pending = new Set<Promise<void>>();
  readonly roundTrips: RoundTrip[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[], intervalS: number) {
    this.#targets = listTargets(urls);
    this.#intervalMs = intervalS * 1000;
  }

  /** Resolves the addresses of the servers. A name that cannot be resolved is resolved again by each measurement. */
  async open(): Promise<void> {
    await Promise.all(
      this.#targets.map(async target => {
        const { address } = await lookup(target.host).catch(() => ({ address: target.host }));
        this.#addresses.set(target, address);
      }),
    );
  }

  /** Measures all servers now and after each interval. */
  start(): void {
    this.#measureAll();
    this.#timer = setInterval(() => this.#measureAll(), this.#intervalMs);
  }

  /** Ends the measurements. Adds some first if there are too few of them. */
  async stop(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.race([this.#complete(), wait(MAX_EXTENSION_MS, undefined, { ref: false })]);
  }

  async #complete(): Promise<void> {
    await Promise.all(this.#pending);
    for (const target of this.#targets)
      for (let attempt = 0; attempt < 2 * MIN_ROUND_TRIPS && this.#count(target) < MIN_ROUND_TRIPS; attempt++)
        await this.#measure(target);
  }

  #count(target: ProbeTarget): number {
    return this.roundTrips.filter(trip => trip.target === target && trip.durationMs !== undefined).length;
  }

  #measureAll(): void {
    for (const target of this.#targets) {
      const measuring = this.#measure(target).finally(() => this.#pending.delete(measuring));
      this.#pending.add(measuring);
    }
  }

  async #measure(target: ProbeTarget): Promise<void> {
    const host = this.#addresses.get(target) ?? target.host;
    this.roundTrips.push(await measureRoundTrip(target, host));
  }
}

/** Opens and closes a connection. Never rejects. */
function measureRoundTrip(target: ProbeTarget, host: string): Promise<RoundTrip> {
  const atMs = Date.now();
  return new Promise(resolve => {
    const startMs = performance.now();
    const socket = connect({ host, port: target.port });
    const end = (result: Pick<RoundTrip, 'durationMs' | 'error'>): void => {
      socket.destroy();
      resolve({ target, atMs, ...result });
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      end({
        durationMs: undefined,
        error: { type: 'ETIMEDOUT', message: `no connection after ${CONNECT_TIMEOUT_MS / 1000} s` },
      }),
    );
    socket.once('connect', () => end({ durationMs: performance.now() - startMs }));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end({ durationMs: undefined, error: { type: error.code ?? error.name, message: error.message } }),
    );
  });
}

/** Lists the different addresses of URLs, whose scheme is http by default. */
function listTargets(urls: readonly string[]): ProbeTarget[] {
  const targets = urls.map(text => {
    const url = new URL(addScheme(text));
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    return { url: redactUrl(text), host: url.hostname.replace(/^\[|\]$/g, ''), port };
  });
  return [...new Map(targets.map(target => [`${target.host} ${target.port}`, target])).values()];
}

/** Returns the mean duration of the handshakes that succeeded, in ms; undefined if none succeeded. */
export function computeMeanRoundTrip(roundTrips: readonly RoundTrip[]): number | undefined {
  const durations = roundTrips.flatMap(({ durationMs }) => durationMs ?? []);
  if (durations.length === 0) return undefined;
  return durations.reduce((sum, duration) => sum + duration, 0) / durations.length;
}
