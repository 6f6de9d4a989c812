import type { Authorization } from './authorization.ts';
import type { ScrapeLimits } from './limits.ts';
import type { Trust } from './trust.ts';

/** How one target is spoken to, where that differs from what is done for all. */
export interface Access {
  /** Sent with every request; values are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What goes into the Authorization header. */
  readonly authorization?: Authorization;
  /** Whom to believe in TLS, and who we are. */
  readonly trust?: Trust;
  /** What a scrape may take from the request to the last byte, in ms. */
  readonly timeoutMs?: number;
  /** Between two scrapes, in ms. */
  readonly intervalMs?: number;
  readonly limits?: Partial<ScrapeLimits>;
  /** Ask for a compressed body: for a slow network, at the cost of the server's CPU. */
  readonly compressed?: boolean;
}
