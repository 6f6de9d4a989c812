import type { Access, Target, TargetSource } from '@org/scrape';
import { AccessBuilder } from '../accessBuilder.ts';
import { DEFAULT_MODE, DISCOVERY_DEFAULTS, type DiscoverySettings } from '../discoverySettings.ts';
import { AccessSource } from './accessSource.ts';
import { FirstListSource } from './firstListSource.ts';
import type { KubernetesFactory } from './kubernetes/kubernetesFactory.ts';
import {
  buildSourceAccess,
  createPreparedSource,
  type DiscoveryInputs,
  type PreparedSource,
  prepareSource,
} from './preparedSource.ts';
import { SourceError } from './sourceError.ts';

/** The endpoints of a run that are known, and the sources of others. */
export interface ResolvedSources {
  readonly targets: readonly Target[];
  readonly sources: readonly TargetSource[];
}

/** Properties of the run that `check` depends on. */
export interface SourceCheck {
  /** URLs of the servers under load, whose hosts may name the namespace of the pods. */
  readonly serverUrls: readonly string[];
  /** True if endpoints derived from these URLs are scraped until pods are found. */
  readonly hasFallback: boolean;
  readonly signal: AbortSignal;
}

/** The validated sources of a run. */
export class Discovery {
  readonly settings: DiscoverySettings;
  readonly sources: readonly PreparedSource[];
  /** Access parameters of pods. */
  readonly access: Access;
  readonly #kubernetes: KubernetesFactory | undefined;

  private constructor(
    { discovery }: DiscoveryInputs,
    sources: readonly PreparedSource[],
    access: Access,
    kubernetes: KubernetesFactory | undefined,
  ) {
    this.settings = discovery;
    this.sources = sources;
    this.access = access;
    this.#kubernetes = kubernetes;
  }

  /**
   * Validates the sources, and loads the client of Kubernetes if pods are searched. Throws `UsageError` if a source or
   * a setting is invalid.
   */
  static async prepare(inputs: DiscoveryInputs): Promise<Discovery> {
    const builder = new AccessBuilder();
    const sources = inputs.sources.map(settings => prepareSource(settings, inputs, builder));
    const access = buildSourceAccess({}, inputs, builder);
    return new Discovery(inputs, sources, access, await loadKubernetes(inputs));
  }

  /** True if at least one source is configured. */
  get hasSources(): boolean {
    return this.sources.length > 0 || this.#kubernetes !== undefined;
  }

  /**
   * Returns the targets of a run and its sources. If pods are searched, the endpoints that were derived from the URLs of
   * servers are scraped only until pods are found, because a load balancer would mix the counters of its servers.
   */
  resolve(targets: readonly Target[], serverUrls: readonly string[]): ResolvedSources {
    if (!this.hasSources) return { targets, sources: [] };
    const isReplaced = ({ isDerived }: Target): boolean =>
      this.#kubernetes !== undefined && isDerived === true;
    const explicit = targets.filter(target => !isReplaced(target));
    const fallback = targets.filter(isReplaced);
    // `check` has applied the policy. During the run, endpoints may come and go.
    const sources = this.#createSources(serverUrls).map(
      ({ source, isPods }) =>
        new FirstListSource(source, {
          waitMs: 0,
          isOptional: true,
          fallback: isPods ? fallback : [],
          isTolerant: isPods && this.#isAuto,
          isImplicit: isPods && this.settings.mode === undefined,
        }),
    );
    return { targets: explicit, sources };
  }

  /**
   * Reads the first list of each source, and waits for its first endpoint if the settings require it. Throws
   * `SourceError` if a source cannot be read or has no endpoints.
   */
  async check({ serverUrls, hasFallback, signal }: SourceCheck): Promise<void> {
    const { optional = false } = this.settings;
    const checked = this.#createSources(serverUrls).map(
      ({ source, isPods }) =>
        new FirstListSource(source, {
          waitMs: this.waitSeconds * 1000,
          isOptional: optional || (isPods && (hasFallback || this.#isAuto)),
          fallback: [],
          isTolerant: isPods && this.#isAuto,
        }),
    );
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    try {
      await Promise.all(checked.map(source => readFirstList(source, either)));
    } finally {
      end.abort();
    }
  }

  /** Time to wait for the first endpoint of each source, in seconds. */
  get waitSeconds(): number {
    return this.settings.wait ?? DISCOVERY_DEFAULTS.wait;
  }

  get #isAuto(): boolean {
    return (this.settings.mode ?? DEFAULT_MODE) === 'auto';
  }

  #createSources(
    serverUrls: readonly string[],
  ): readonly { readonly source: TargetSource; readonly isPods: boolean }[] {
    const others = this.sources.map(source => ({
      source: createPreparedSource(source, this.settings),
      isPods: false,
    }));
    if (!this.#kubernetes) return others;
    const pods = new AccessSource(this.#kubernetes.create(serverUrls), this.access);
    return [...others, { source: pods, isPods: true }];
  }
}

/** Reads the first list of a source. Throws `SourceError` with the name of the source. */
async function readFirstList(source: TargetSource, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of source.watch(signal, () => {})) return;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(`${source.name}: ${error.message}`);
  }
}

/** Loads the client of Kubernetes, which is large, if pods are searched. */
async function loadKubernetes({ discovery, env }: DiscoveryInputs): Promise<KubernetesFactory | undefined> {
  const { mode = DEFAULT_MODE } = discovery;
  if (mode === 'disabled') return undefined;
  const { isInCluster } = await import('./kubernetes/environment.ts');
  if (mode === 'auto' && !isInCluster(env)) return undefined;
  const { KubernetesFactory } = await import('./kubernetes/kubernetesFactory.ts');
  return new KubernetesFactory(discovery, env);
}
