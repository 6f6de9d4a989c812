import type { ProfileRecord } from '@org/formats';
import {
  hasServerCounts,
  type RequestMetrics,
  type RequestRecord,
  replaceTokenCounts,
  selectTokenCounts,
  type TokenSource,
} from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';

type TokenPlan = Pick<ProfilePlan, 'tokenCount' | 'tokenSource'>;

/** Returns the source of token counts that a plan prescribes; undefined if the responses determine it. */
export function findPlannedSource({ tokenCount, tokenSource }: TokenPlan): TokenSource | undefined {
  return tokenCount === 'auto' ? tokenSource : tokenCount;
}

/** The sources for the token counts of one request. */
export interface RequestSources {
  /** Source for the metrics of the run. */
  readonly metrics: TokenSource;
  /** Source for the line of the request: the client if the server did not report its counts. */
  readonly line: TokenSource;
  /** True if the line must contain the counts of the client, too, because the source may still change. */
  readonly isPreliminary: boolean;
}

/**
 * Chooses the source of the token counts of a run. If the plan does not prescribe it, the source is the server
 * if each successful response contains the server's counts, otherwise the client. Metrics use the counts of the
 * server as long as the first successful response had them.
 */
export class TokenSourceChoice {
  readonly #isAutomatic: boolean;
  #source: TokenSource | undefined;
  #hasMissingCounts = false;

  constructor(plan: TokenPlan) {
    this.#source = findPlannedSource(plan);
    this.#isAutomatic = this.#source === undefined;
  }

  /** The source chosen so far; the client before the first successful response. */
  get source(): TokenSource {
    return this.#source ?? 'client';
  }

  /** True if metrics use the counts of the server, although a successful response lacked them. */
  get mustReplace(): boolean {
    return this.#isAutomatic && this.#hasMissingCounts && this.#source === 'server';
  }

  /** Adds a request. Returns the sources for its token counts. */
  add(record: RequestRecord): RequestSources {
    if (!this.#isAutomatic || record.failure)
      return { metrics: this.source, line: this.source, isPreliminary: false };
    const hasCounts = hasServerCounts(record);
    this.#source ??= hasCounts ? 'server' : 'client';
    if (!hasCounts) this.#hasMissingCounts = true;
    const line = hasCounts ? this.#source : 'client';
    return { metrics: this.#source, line, isPreliminary: line === 'server' };
  }
}

type ClientTokens = NonNullable<ProfileRecord['metadata']['client_tokens']>;

/** Returns the client's token counts of a request, without absent counts. */
export function describeClientTokens(record: RequestRecord): ClientTokens {
  const counts = Object.entries(selectTokenCounts(record, 'client'));
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined));
}

/** Converts the line of a request to metrics that use the client's token counts. */
export function toClientTokens(line: ProfileRecord): ProfileRecord {
  const { client_tokens: counts, ...metadata } = line.metadata;
  if (!counts) return line;
  const { input, output, reasoning } = counts;
  const metrics = replaceTokenCounts(line.metrics as RequestMetrics, { input, output, reasoning });
  return { ...line, metadata, metrics: metrics as ProfileRecord['metrics'] };
}

/** Finds the source of the token counts of a run from the lines of its requests, by the rules of `TokenSourceChoice`. */
export class RecordedTokenSource {
  #hasServerCounts = false;
  #hasClientCounts = false;

  add({ metadata, error }: ProfileRecord): void {
    if (metadata.client_tokens) this.#hasServerCounts = true;
    else if (!error) this.#hasClientCounts = true;
  }

  get source(): TokenSource {
    return this.#hasServerCounts && !this.#hasClientCounts ? 'server' : 'client';
  }
}
