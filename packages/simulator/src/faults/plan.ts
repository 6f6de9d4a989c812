import { checkedFault, type Fault } from './fault.ts';

/** The faults to come. Each lasts for its number of scrapes; several at a time add up. */
export class FaultPlan {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** The faults that are still to come. */
  get faults(): readonly Fault[] {
    return this.#faults.map(({ fault, left }) =>
      left === Number.POSITIVE_INFINITY ? fault : { ...fault, scrapes: left },
    );
  }

  /** Adds a fault. Throws when it is none. */
  add(fault: Fault): void {
    const { scrapes } = checkedFault(fault);
    this.#faults.push({ fault, left: scrapes ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#faults = [];
  }

  /** The faults of one scrape of a page; each has one scrape less to go. */
  take(page: string, path: string): readonly Fault[] {
    const due = this.#faults.filter(({ fault }) => concerns(fault, page, path));
    for (const one of due) one.left -= 1;
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return due.map(({ fault }) => fault);
  }
}

function concerns(fault: Fault, page: string, path: string): boolean {
  if (fault.page !== undefined && fault.page !== page) return false;
  // Whoever followed the redirect has arrived.
  return !(fault.kind === 'redirect' && fault.to === undefined && path.endsWith('/'));
}
