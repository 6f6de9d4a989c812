import { type Fault, type ScrapeFault, validateFault } from './fault.ts';
import { isServerFault } from './serverFault.ts';

/** The active faults. Several faults can affect the same scrape. */
export class FaultPlan {
  #entries: { readonly fault: ScrapeFault; scrapesLeft: number; scrapesSeen: number }[] = [];

  /** The active faults; `scrapes` is the remaining number of scrapes. */
  get faults(): readonly ScrapeFault[] {
    return this.#entries.map(({ fault, scrapesLeft }) =>
      scrapesLeft === Number.POSITIVE_INFINITY ? fault : { ...fault, scrapes: scrapesLeft },
    );
  }

  /** Adds a fault. Throws RangeError if it is invalid, or a fault of the server. */
  add(fault: Fault): void {
    const valid = validateFault(fault);
    if (isServerFault(valid))
      throw new RangeError(`invalid fault "${valid.kind}": it exists only from the start of the server`);
    const { scrapes } = valid;
    this.#entries.push({ fault: valid, scrapesLeft: scrapes ?? Number.POSITIVE_INFINITY, scrapesSeen: 0 });
  }

  clear(): void {
    this.#entries = [];
  }

  /** Returns the faults for one scrape of a page, and decrements their remaining scrapes. */
  take(page: string, path: string): readonly ScrapeFault[] {
    const onPage = this.#entries.filter(({ fault }) => affects(fault, page, path));
    for (const entry of onPage) entry.scrapesSeen += 1;
    const active = onPage.filter(({ fault: { every = 1 }, scrapesSeen }) => scrapesSeen % every === 0);
    for (const entry of active) entry.scrapesLeft -= 1;
    this.#entries = this.#entries.filter(({ scrapesLeft }) => scrapesLeft > 0);
    return active.map(({ fault }) => fault);
  }
}

function affects(fault: ScrapeFault, page: string, path: string): boolean {
  if (fault.page !== undefined && fault.page !== page) return false;
  // The path with a trailing slash is the target of the default redirect.
  return !(fault.kind === 'redirect' && fault.to === undefined && path.endsWith('/'));
}
