import type { PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { type Failure, toFailure } from './failure.ts';
import { type CertificateProbe, probeCertificate } from './peerCertificate.ts';
import { isAboutCertificate, tlsFailure, tlsRequired } from './tlsFailure.ts';

/** Looks at one kind of failure: one alone may see nothing where a machine is busy. */
const MAX_PROBES = 3;

interface ProbeHistory {
  readonly key: string;
  probes: number;
  last: CertificateProbe | undefined;
}

/**
 * Finds out what is behind a failure of TLS, which by itself says little: probes at the certificate, or whether a server that
 * does not answer in HTTP speaks TLS. Until a scrape succeeds it does not look again at what it has history, nor more than a few
 * times in vain.
 */
export class FailureDiagnosis {
  readonly #lookup: Lookup | undefined;
  #history: ProbeHistory | undefined;

  constructor(lookup?: Lookup) {
    this.#lookup = lookup;
  }

  /** The server gave data: what is wrong next time is something new. */
  clear(): void {
    this.#history = undefined;
  }

  /** The failure behind an error that ended an exchange. */
  async diagnose(error: unknown, { url, hasResponse, status }: Exchange): Promise<Failure> {
    const failure = toFailure(error);
    const isSecure = url.startsWith('https:');
    const isNotHttp = failure.reason === 'not_http' || (failure.reason === 'cut' && !hasResponse);
    // What Go and nginx say to plain HTTP on a port for TLS.
    const isBadRequest = status === 400;
    if (failure.reason === 'tls')
      return { ...failure, ...(await this.#describeTls(findTlsError(error), url)) };
    if (!isSecure && (isNotHttp || isBadRequest))
      return { ...failure, ...(await this.#describePlain(failure.reason, url)) };
    return failure;
  }

  async #describeTls(error: Error, url: string): Promise<Omit<Failure, 'cause'>> {
    const code = String((error as NodeJS.ErrnoException).code ?? '');
    const certificate = isAboutCertificate(code) ? await this.#probe(code, url) : undefined;
    return tlsFailure(error, url, certificate);
  }

  async #describePlain(reason: string, url: string): Promise<Omit<Failure, 'cause'> | undefined> {
    return (await this.#probe(reason, url)) ? tlsRequired(url) : undefined;
  }

  /** The certificate that the server shows at a failure of this kind, as far as is known. */
  async #probe(kind: string, url: string): Promise<PeerCertificate | undefined> {
    const key = `${kind} ${url}`;
    if (this.#history?.key !== key) this.#history = { key, probes: 0, last: undefined };
    const history = this.#history;
    if (history.probes < MAX_PROBES && canLearnMore(history.last, url)) {
      history.probes += 1;
      history.last = await probeCertificate(url, this.#lookup);
    }
    return history.last?.certificate;
  }
}

/** Whether a further look may see more: one that failed in TLS has a certificate, one that answered without has none. */
function canLearnMore(last: CertificateProbe | undefined, url: string): boolean {
  if (!last) return true;
  return last.certificate === undefined && (last.hasTimedOut || url.startsWith('https:'));
}

/** The error that has the code of TLS, behind those that wrap it. */
function findTlsError(error: unknown): Error {
  let root = error as Error;
  while (root.cause instanceof Error && (root as NodeJS.ErrnoException).code === undefined) root = root.cause;
  return root;
}
