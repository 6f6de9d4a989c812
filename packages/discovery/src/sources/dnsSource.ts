import { promises as dns } from 'node:dns';
import { isIPv6 } from 'node:net';
import {
  parseExactTarget,
  parseMetricsTarget,
  type Target,
  TargetError,
  type TargetSource,
} from '@org/scrape';
import { describeRequestError } from './httpRequest.ts';
import { pollTargets } from './polling.ts';
import { SourceError } from './sourceError.ts';

/** Resolves names. The default is the resolver of the system for addresses, and its name servers for SRV records. */
export interface NameResolver {
  lookup(name: string): Promise<readonly string[]>;
  resolveSrv(name: string): Promise<readonly { readonly name: string; readonly port: number }[]>;
}

const SYSTEM_RESOLVER: NameResolver = {
  lookup: async name => (await dns.lookup(name, { all: true })).map(({ address }) => address),
  resolveSrv: name => dns.resolveSrv(name),
};

const METRICS_PATH = '/metrics';

/** The records that a name is resolved to: addresses (A, or AAAA if there are none), or hosts and ports (SRV). */
export type DnsRecords = 'address' | 'srv';

export interface DnsSourceOptions {
  readonly records: DnsRecords;
  /** URL whose host is the name to resolve. */
  readonly url: string;
  readonly refreshMs: number;
  readonly resolver?: NameResolver;
}

/** Targets behind a DNS name, such as the name of a headless service. */
export class DnsSource implements TargetSource {
  readonly name: string;
  readonly #options: DnsSourceOptions;
  readonly #host: string;

  constructor(options: DnsSourceOptions) {
    this.#options = options;
    const url = new URL(options.url);
    this.#host = url.hostname;
    this.name = `${options.records === 'srv' ? 'srv' : 'dns'} ${JSON.stringify(url.host)}`;
  }

  watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncIterable<readonly Target[]> {
    const { refreshMs } = this.#options;
    return pollTargets({ read: () => this.#resolve(), refreshMs, signal, onProblem });
  }

  async #resolve(): Promise<readonly Target[]> {
    const hosts = await this.#lookUp();
    return [...new Set(hosts)].sort().map(host => this.#createTarget(host));
  }

  /** Returns hosts with their ports, as in URLs. */
  async #lookUp(): Promise<readonly string[]> {
    const { records, resolver = SYSTEM_RESOLVER, url } = this.#options;
    try {
      if (records === 'srv') {
        const found = await resolver.resolveSrv(this.#host);
        return found.map(({ name, port }) => `${name.replace(/\.$/, '')}:${port}`);
      }
      const { port } = new URL(url);
      const addresses = await resolver.lookup(this.#host.replace(/^\[|\]$/g, ''));
      const hosts = preferIPv4(addresses).map(address => (isIPv6(address) ? `[${address}]` : address));
      return hosts.map(host => (port === '' ? host : `${host}:${port}`));
    } catch (error) {
      const noun = records === 'srv' ? 'the SRV records of' : 'the name';
      throw new SourceError(
        `cannot resolve ${noun} ${JSON.stringify(this.#host)}: ${describeDnsError(error)}`,
      );
    }
  }

  #createTarget(host: string): Target {
    const url = new URL(this.#options.url);
    const path = url.pathname === '/' ? METRICS_PATH : url.pathname;
    const userInfo = /^https?:\/\/[^/?#@]*@/.exec(url.href)?.[0].replace(/^https?:\/\//, '') ?? '';
    const text = `${url.protocol}//${userInfo}${host}${path}${url.search}`;
    try {
      return path === METRICS_PATH ? parseMetricsTarget(text) : parseExactTarget(text);
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      throw new SourceError(`${this.name}: ${error.message}`);
    }
  }
}

/** Omits IPv6 addresses if there are IPv4 addresses, so that a host with both is scraped once. */
function preferIPv4(addresses: readonly string[]): readonly string[] {
  const ipv4 = addresses.filter(address => !isIPv6(address));
  return ipv4.length > 0 ? ipv4 : addresses;
}

function describeDnsError(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENODATA'
    ? 'the name has no such records'
    : describeRequestError(error);
}
