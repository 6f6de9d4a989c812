import type { PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { type Failure, failureOf } from './failure.ts';
import { type Look, lookAt } from './peer.ts';
import { isAboutCertificate, tlsFailure, tlsRequired } from './tlsfailure.ts';

/** Looks at one kind of failure: one alone may see nothing where a machine is busy. */
const MOST_LOOKS = 3;

interface Seen {
  readonly key: string;
  looks: number;
  last: Look | undefined;
}

/**
 * Finds out what is behind a failure of TLS, which by itself says little: looks at the certificate, or whether a server that
 * does not answer in HTTP speaks TLS. Until a scrape succeeds it does not look again at what it has seen, nor more than a few
 * times in vain.
 */
export class Diagnosis {
  readonly #lookup: Lookup | undefined;
  #seen: Seen | undefined;

  constructor(lookup?: Lookup) {
    this.#lookup = lookup;
  }

  /** The server gave data: what is wrong next time is something new. */
  clear(): void {
    this.#seen = undefined;
  }

  /** The failure behind an error that ended an exchange. */
  async of(error: unknown, { url, isAnswered, status }: Exchange): Promise<Failure> {
    const failure = failureOf(error);
    const isSecure = url.startsWith('https:');
    const isSilent = failure.reason === 'not_http' || (failure.reason === 'cut' && !isAnswered);
    // What Go and nginx say to plain HTTP on a port for TLS.
    const isRefusal = status === 400;
    if (failure.reason === 'tls') return { ...failure, ...(await this.#tls(rootOf(error), url)) };
    if (!isSecure && (isSilent || isRefusal))
      return { ...failure, ...(await this.#plain(failure.reason, url)) };
    return failure;
  }

  async #tls(error: Error, url: string): Promise<Omit<Failure, 'cause'>> {
    const code = String((error as NodeJS.ErrnoException).code ?? '');
    const shown = isAboutCertificate(code) ? await this.#shown(code, url) : undefined;
    return tlsFailure(error, url, shown);
  }

  async #plain(reason: string, url: string): Promise<Omit<Failure, 'cause'> | undefined> {
    return (await this.#shown(reason, url)) ? tlsRequired(url) : undefined;
  }

  /** The certificate that the server shows at a failure of this kind, as far as is known. */
  async #shown(kind: string, url: string): Promise<PeerCertificate | undefined> {
    const key = `${kind} ${url}`;
    if (this.#seen?.key !== key) this.#seen = { key, looks: 0, last: undefined };
    const seen = this.#seen;
    if (seen.looks < MOST_LOOKS && isOpen(seen.last, url)) {
      seen.looks += 1;
      seen.last = await lookAt(url, this.#lookup);
    }
    return seen.last?.certificate;
  }
}

/** Whether a further look may see more: one that failed in TLS has a certificate, one that answered without has none. */
function isOpen(last: Look | undefined, url: string): boolean {
  if (!last) return true;
  return last.certificate === undefined && (last.isLate || url.startsWith('https:'));
}

/** The error that has the code of TLS, behind those that wrap it. */
function rootOf(error: unknown): Error {
  let root = error as Error;
  while (root.cause instanceof Error && (root as NodeJS.ErrnoException).code === undefined) root = root.cause;
  return root;
}
