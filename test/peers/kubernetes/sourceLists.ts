import type { DiscoverySettings } from '../../../packages/discovery/dist/index.js';
import { Discovery } from '../../../packages/discovery/dist/sources/index.js';

/** An endpoint that discovery has found. */
export interface FoundTarget {
  readonly url: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly identity?: string;
}

/** Follows the pods of a cluster, as a run does. */
export class SourceLists {
  readonly problems: string[] = [];
  #latest: readonly FoundTarget[] | undefined;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;
  #error: unknown;

  private constructor(discovery: Discovery) {
    this.#done = this.#follow(discovery);
  }

  static async start(settings: DiscoverySettings): Promise<SourceLists> {
    return new SourceLists(await prepareDiscovery(settings));
  }

  /** The last list; undefined before the first one. Throws if the source has failed. */
  get latest(): readonly FoundTarget[] | undefined {
    if (this.#error !== undefined) throw this.#error;
    return this.#latest;
  }

  /** The URLs of the last list. */
  get urls(): readonly string[] | undefined {
    return this.latest?.map(({ url }) => url);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }

  async #follow(discovery: Discovery): Promise<void> {
    const [source] = discovery.resolve([], []).sources;
    try {
      for await (const targets of source!.watch(this.#end.signal, message => this.problems.push(message)))
        this.#latest = targets;
    } catch (error) {
      this.#error = error;
    }
  }
}

/** Checks the pods of a cluster, as the start of a run does. Throws if they cannot be listed. */
export async function checkPods(settings: DiscoverySettings): Promise<void> {
  const discovery = await prepareDiscovery(settings);
  await discovery.check({ serverUrls: [], hasFallback: true, signal: new AbortController().signal });
}

function prepareDiscovery(settings: DiscoverySettings): Promise<Discovery> {
  return Discovery.prepare({
    discovery: { mode: 'kubernetes', ...settings },
    sources: [],
    defaults: {},
    options: {},
    nameOption: key => key.join('.'),
    cwd: process.cwd(),
    env: {},
  });
}
