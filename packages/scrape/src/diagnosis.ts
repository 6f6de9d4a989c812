import type { Lookup } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { type Failure, failureOf } from './failure.ts';
import { shownCertificate } from './peer.ts';
import { isAboutCertificate, tlsFailure, tlsRequired } from './tlsfailure.ts';

/**
 * Finds out what is behind a failure of TLS, which by itself says little: looks at the certificate, or whether a server that
 * does not answer in HTTP speaks TLS. It looks once and not again until a scrape succeeds.
 */
export class Diagnosis {
  readonly #lookup: Lookup | undefined;
  #seen: { readonly key: string; readonly told: Omit<Failure, 'cause'> | undefined } | undefined;

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
    return (await this.#once(`${code} ${url}`, async () => {
      const shown = isAboutCertificate(code) ? await shownCertificate(url, this.#lookup) : undefined;
      return tlsFailure(error, url, shown);
    }))!;
  }

  #plain(reason: string, url: string): Promise<Omit<Failure, 'cause'> | undefined> {
    return this.#once(`${reason} ${url}`, async () =>
      (await shownCertificate(url, this.#lookup)) ? tlsRequired(url) : undefined,
    );
  }

  async #once(
    key: string,
    look: () => Promise<Omit<Failure, 'cause'> | undefined>,
  ): Promise<Omit<Failure, 'cause'> | undefined> {
    if (this.#seen?.key !== key) this.#seen = { key, told: await look() };
    return this.#seen.told;
  }
}

/** The error that has the code of TLS, behind those that wrap it. */
function rootOf(error: unknown): Error {
  let root = error as Error;
  while (root.cause instanceof Error && (root as NodeJS.ErrnoException).code === undefined) root = root.cause;
  return root;
}
