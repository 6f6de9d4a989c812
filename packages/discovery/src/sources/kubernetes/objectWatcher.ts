import { setTimeout as sleep } from 'node:timers/promises';
import type { ProblemReporter } from '../problemReporter.ts';
import { SourceError } from '../sourceError.ts';
import type { KubernetesApi, WatchEvent } from './api.ts';
import { ApiError, GONE } from './apiError.ts';
import type { KubernetesObject } from './objects.ts';
import type { Resource } from './resource.ts';

export interface ObjectWatcherOptions {
  readonly api: KubernetesApi;
  readonly resource: Resource;
  readonly signal: AbortSignal;
  /** Called after each change of the objects. */
  readonly onChange: () => void;
  readonly problems: ProblemReporter;
  /** Delay before the first retry, in milliseconds; it is doubled with each retry. */
  readonly retryMs?: number;
}

const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** Duration of a watch that is not considered a failure, in milliseconds. */
const MIN_WATCH_MS = 5000;

/**
 * Keeps the current objects of a resource: lists them, watches for changes, and continues the watch where it ended. The
 * objects are listed again if the server no longer has the version, and at regular times if watching is forbidden.
 */
export class ObjectWatcher<T extends KubernetesObject> {
  readonly #options: ObjectWatcherOptions;
  readonly #objects = new Map<string, T>();
  /** Version of the last list or event; undefined if the objects must be listed. */
  #version: string | undefined;
  /** Number of successive failures. */
  #failures = 0;

  constructor(options: ObjectWatcherOptions) {
    this.#options = options;
  }

  get objects(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** Lists the objects. Throws `SourceError` if this fails. */
  async list(): Promise<void> {
    const { api, resource, signal } = this.#options;
    const { items, version } = await api.list<T>(resource, signal);
    this.#objects.clear();
    for (const object of items) this.#objects.set(getKey(object), object);
    this.#version = version;
  }

  /** Watches for changes until the signal is aborted. Failures are reported and retried. */
  async follow(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#followOnce();
      } catch (error) {
        if (signal.aborted) return;
        await this.#handleFailure(error);
      }
    }
  }

  async #followOnce(): Promise<void> {
    const { api, resource, signal, onChange, problems } = this.#options;
    if (this.#version === undefined) {
      await this.list();
      onChange();
    }
    const startMs = performance.now();
    for await (const event of api.watch<T>(resource, this.#version!, signal)) {
      this.#failures = 0;
      problems.clear();
      this.#apply(event);
    }
    // A server that ends each watch at once is not requested in a tight loop.
    if (performance.now() - startMs < MIN_WATCH_MS) await this.#wait();
    else this.#failures = 0;
  }

  #apply({ type, object }: WatchEvent<T>): void {
    this.#version = object.metadata.resourceVersion ?? this.#version;
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.#objects.delete(getKey(object));
    else this.#objects.set(getKey(object), object);
    this.#options.onChange();
  }

  async #handleFailure(error: unknown): Promise<void> {
    if (!(error instanceof SourceError)) throw error;
    if (error instanceof ApiError && error.status === GONE) {
      this.#version = undefined;
      // The first time, the objects are listed without delay.
      if (this.#failures++ > 0) await this.#wait();
      return;
    }
    this.#options.problems.report(error.message);
    const isForbidden = error instanceof ApiError && error.status === 403 && error.verb === 'watch';
    if (isForbidden) this.#version = undefined;
    await this.#wait();
  }

  async #wait(): Promise<void> {
    const { signal, retryMs = RETRY_MS } = this.#options;
    const delayMs = Math.min(retryMs * 2 ** this.#failures++, MAX_RETRY_MS);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
}

function getKey({ metadata: { namespace, name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}
