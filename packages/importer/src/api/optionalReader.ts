import type { ApiClient } from './apiClient.ts';
import { ApiError } from './apiClient.ts';
import { type RetryPolicy, retryTransient } from './retry.ts';

/** Statuses of servers that do not have an API. */
const MISSING_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 406, 501]);

/**
 * Reads facts that not all servers have, and without which an import is still possible. A server without the API is not
 * reported; any other failure is.
 */
export class OptionalReader {
  /** Sentences about the facts that could not be read. */
  readonly losses: string[] = [];
  readonly #client: ApiClient;
  readonly #policy: RetryPolicy;

  constructor(client: ApiClient, policy: RetryPolicy) {
    this.#client = client;
    this.#policy = policy;
  }

  /**
   * Returns the data of an API; undefined if the server does not have it, or if it fails. `subject` is a plural that names
   * the data. Throws `ApiError` if the credentials have expired: with valid ones, the import can continue.
   */
  async read(path: string, subject: string): Promise<unknown> {
    try {
      return await retryTransient(this.#policy, () => this.#client.getData(path, this.#policy.signal));
    } catch (error) {
      if (this.#policy.signal.aborted || !(error instanceof ApiError) || error.status === 401) throw error;
      if (!MISSING_STATUSES.has(error.status ?? 0))
        this.losses.push(`the ${subject} could not be read: ${error.message}`);
      return undefined;
    }
  }
}
