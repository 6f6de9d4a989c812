import { ENDPOINTS, findEndpoint } from '../endpoint/endpoints.ts';
import type { LoadOptions } from '../run/loadOptions.ts';
import { buildBody, buildHeaders, parseAddresses, type Target } from '../run/target.ts';
import { ControlClient, type ControlResult, describeResult } from './controlClient.ts';
import { type Probe, type ProbeOptions, runProbe } from './modelProbe.ts';
import { REAL_TIMING, type Timing } from './timing.ts';

/** A path of a server that a request without a body is sent to, such as `/reset_prefix_cache`. */
export interface HookOptions {
  readonly path: string;
  readonly timeoutS: number;
}

/** Text of the prompt of a probe. */
const PROBE_PROMPT = 'Lo';

/** Statuses of a server that is busy for a moment, so that a reset is retried. */
const BUSY_STATUSES: readonly (number | undefined)[] = [undefined, 409, 423, 429, 503];
/** Maximum time of retries, and first and longest wait between them, in ms. */
const MAX_RETRY_MS = 60_000;
const MIN_RETRY_WAIT_MS = 1_000;
const MAX_RETRY_WAIT_MS = 8_000;

/**
 * Prepares the servers of a load: waits for models, resets caches, and starts and stops profilers. Each method returns
 * undefined on success, or the reason of the failure as a sentence part. Nothing is thrown.
 */
export class ServerControl {
  readonly #options: Pick<LoadOptions, 'endpoint' | 'target'>;
  readonly #client: ControlClient;
  readonly #timing: Timing;
  /** Scheme, host and port of each server, without duplicates. */
  readonly #origins: readonly string[];

  /** Throws RangeError for an invalid URL or header. */
  constructor(options: Pick<LoadOptions, 'endpoint' | 'target' | 'tls'>, timing: Timing = REAL_TIMING) {
    const { target, tls } = options;
    const endpoint = findEndpoint(options.endpoint);
    const addresses = parseAddresses(target, endpoint);
    const authorization = addresses.find(address => address.authorization !== undefined)?.authorization;
    const headers = buildHeaders({ ...target, streaming: false }, endpoint);
    const isAuthorized = headers.some(name => name.toLowerCase() === 'authorization');
    this.#options = options;
    this.#timing = timing;
    this.#origins = [...new Set(addresses.map(({ origin }) => origin))];
    this.#client = new ControlClient(
      authorization === undefined || isAuthorized ? headers : [...headers, 'authorization', authorization],
      tls,
    );
  }

  /** Waits until each model of each server is ready. `onWait` receives a sentence after each failed attempt. */
  async waitForModels(
    options: ProbeOptions,
    signal: AbortSignal,
    onWait: (message: string) => void,
  ): Promise<string | undefined> {
    const context = {
      send: this.#client.send.bind(this.#client),
      timing: this.#timing,
      signal,
      onWait,
    };
    for (const probe of this.#listProbes(options)) {
      const problem = await runProbe(probe, options, context);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Resets the caches of all servers. A server that is busy is retried for a minute. */
  async reset(hook: HookOptions, signal: AbortSignal): Promise<string | undefined> {
    const endMs = this.#timing.nowMs() + MAX_RETRY_MS;
    for (const origin of this.#origins) {
      for (let waitMs = MIN_RETRY_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_WAIT_MS)) {
        const result = await this.#post(origin, hook, signal);
        if (isSuccess(result) || signal.aborted) break;
        if (!BUSY_STATUSES.includes(result.status) || this.#timing.nowMs() + waitMs >= endMs)
          return describeFailure(origin, hook, result);
        await this.#timing.sleep(waitMs, signal);
      }
    }
    return undefined;
  }

  /** Starts the profilers of all servers. If one cannot be started, the others are stopped again. */
  async startProfilers(
    start: HookOptions,
    stop: HookOptions,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const started: string[] = [];
    for (const origin of this.#origins) {
      const result = await this.#post(origin, start, signal);
      if (isSuccess(result)) {
        started.push(origin);
        continue;
      }
      for (const other of started.toReversed()) await this.#post(other, stop, new AbortController().signal);
      return describeFailure(origin, start, result);
    }
    return undefined;
  }

  /** Stops the profilers of all servers, also if one of them fails, and after an interruption. */
  async stopProfilers(stop: HookOptions): Promise<string | undefined> {
    const failures: string[] = [];
    for (const origin of this.#origins) {
      const result = await this.#post(origin, stop, new AbortController().signal);
      if (!isSuccess(result)) failures.push(describeFailure(origin, stop, result));
    }
    return failures.length === 0 ? undefined : failures.join('; ');
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #post(origin: string, { path, timeoutS }: HookOptions, signal: AbortSignal): Promise<ControlResult> {
    return this.#client.send({ method: 'POST', url: origin + path, timeoutMs: 1000 * timeoutS, signal });
  }

  #listProbes({ mode }: ProbeOptions): Probe[] {
    const { target } = this.#options;
    const models = typeof target.model === 'string' ? [target.model] : target.model;
    const { promptFields, requiredMedia } = findEndpoint(this.#options.endpoint);
    // There is no example of a body if the API is unknown, or requires a file.
    const hasExample = promptFields.length > 0 && requiredMedia === undefined;
    return target.urls.flatMap(url => [
      ...(mode === 'inference' && hasExample ? [] : models.map(model => this.#createListProbe(url, model))),
      ...(mode === 'models' || !hasExample
        ? []
        : models.map(model => this.#createInferenceProbe(url, model))),
    ]);
  }

  #createListProbe(url: string, model: string): Probe {
    const endpoint = ENDPOINTS.chat;
    const [list] = parseAddresses({ ...this.#options.target, urls: [url], path: '/v1/models' }, endpoint);
    return {
      kind: 'models',
      model,
      request: { method: 'GET', url: list!.origin + list!.path },
      fallbackUrl: `${list!.origin}/`,
    };
  }

  /** Creates a request for a response of one token. */
  #createInferenceProbe(url: string, model: string): Probe {
    const endpoint = findEndpoint(this.#options.endpoint);
    const { path } = this.#options.target;
    const target: Target = {
      urls: [url],
      model,
      streaming: false,
      legacyMaxTokens: true,
      ...(path === undefined ? {} : { path }),
    };
    const [address] = parseAddresses(target, endpoint);
    const messages = [{ role: 'user', content: PROBE_PROMPT }];
    const { bytes } = buildBody(endpoint, target, model, messages, { maxTokens: 1 });
    return {
      kind: 'inference',
      model,
      request: { method: 'POST', url: address!.origin + address!.path, body: bytes },
    };
  }
}

function isSuccess({ status }: ControlResult): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function describeFailure(origin: string, { path }: HookOptions, result: ControlResult): string {
  return `POST ${origin}${path}: ${describeResult(result)}`;
}
