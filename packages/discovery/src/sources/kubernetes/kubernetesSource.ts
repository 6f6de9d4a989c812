import { type Target, TargetError, type TargetSource } from '@org/scrape';
import { ChangeLatch } from '../changeLatch.ts';
import { ProblemReporter } from '../problemReporter.ts';
import { SourceError } from '../sourceError.ts';
import { hasSameTargets } from '../targetChanges.ts';
import { KubernetesApi } from './api.ts';
import { ApiError } from './apiError.ts';
import type { Cluster } from './cluster.ts';
import { listMonitoredEndpoints, type Monitors } from './monitors.ts';
import type { KubernetesObject, Monitor, Pod, Service } from './objects.ts';
import { ObjectWatcher } from './objectWatcher.ts';
import { isSelectedPod, listPodEndpoints, type PodEndpoints, type PodRules } from './podEndpoint.ts';
import { createPodTarget, type PodProxy } from './podTarget.ts';
import { RESOURCES, type Resource } from './resource.ts';

export interface KubernetesSourceOptions {
  readonly cluster: Cluster;
  /** The namespace; undefined for all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** True to accept pods that only have the annotation `prometheus.io/scrape: "true"`. */
  readonly acceptsAnnotation: boolean;
  /** True to scrape the pods that PodMonitors and ServiceMonitors select. */
  readonly usesMonitors: boolean;
  /** True to reach pods through the proxy of the API server. */
  readonly usesProxy: boolean;
  /** Timeout of a request to the API, in milliseconds. */
  readonly timeoutMs: number;
  /** Delay before the first retry of a failed request, in milliseconds; 1 s by default. */
  readonly retryMs?: number;
}

/** The watchers of one run. Those of monitors are absent if they are not used, or not installed in the cluster. */
interface Watchers {
  readonly pods: ObjectWatcher<Pod>;
  readonly services?: ObjectWatcher<Service>;
  readonly podMonitors?: ObjectWatcher<Monitor>;
  readonly serviceMonitors?: ObjectWatcher<Monitor>;
}

/** The running pods of a namespace that have metrics. */
export class KubernetesSource implements TargetSource {
  readonly name: string;
  readonly #options: KubernetesSourceOptions;

  constructor(options: KubernetesSourceOptions) {
    const { namespace, labelSelector } = options;
    const place = namespace === undefined ? 'all namespaces' : `namespace ${JSON.stringify(namespace)}`;
    this.name = `kubernetes ${place}${labelSelector === undefined ? '' : `, pods with ${labelSelector}`}`;
    this.#options = options;
  }

  async *watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncGenerator<readonly Target[]> {
    const end = new AbortController();
    const abort = (): void => end.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return;
    try {
      yield* this.#watch(end.signal, onProblem);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      end.abort();
    }
  }

  async *#watch(
    signal: AbortSignal,
    onProblem: (message: string) => void,
  ): AsyncGenerator<readonly Target[]> {
    const latch = new ChangeLatch();
    const podProblems = new PodProblems(onProblem);
    const watchers = await this.#startWatchers(signal, () => latch.notify(), onProblem);
    const proxy = await this.#createProxy();
    const following = Promise.all(Object.values(watchers).map(watcher => watcher.follow()));
    following.catch(() => latch.notify());
    let current: readonly Target[] | undefined;
    while (!signal.aborted) {
      const next = this.#listTargets(watchers, proxy, podProblems);
      if (current === undefined || !hasSameTargets(current, next)) {
        current = next;
        yield next;
      }
      await latch.wait(signal);
    }
    await following;
  }

  /** Lists all objects. Throws if the pods cannot be listed. */
  async #startWatchers(
    signal: AbortSignal,
    onChange: () => void,
    onProblem: (message: string) => void,
  ): Promise<Watchers> {
    const { cluster, timeoutMs, labelSelector, namespace, usesMonitors, retryMs } = this.#options;
    const api = new KubernetesApi(cluster, timeoutMs);
    const place = namespace === undefined ? {} : { namespace };
    const retry = retryMs === undefined ? {} : { retryMs };
    const create = <T extends KubernetesObject>(resource: Resource): ObjectWatcher<T> =>
      new ObjectWatcher<T>({
        api,
        resource,
        signal,
        onChange,
        problems: new ProblemReporter(onProblem),
        ...retry,
      });
    const selection = labelSelector === undefined ? {} : { labelSelector };
    const pods = create<Pod>({ ...RESOURCES.pods, ...place, ...selection });
    await pods.list();
    if (!usesMonitors) return { pods };
    const podMonitors = create<Monitor>({ ...RESOURCES.podMonitors, ...place });
    const serviceMonitors = create<Monitor>({ ...RESOURCES.serviceMonitors, ...place });
    const services = create<Service>({ ...RESOURCES.services, ...place });
    const hasPodMonitors = await listIfInstalled(podMonitors);
    const hasServiceMonitors = await listIfInstalled(serviceMonitors);
    if (hasServiceMonitors) await services.list();
    if (!hasPodMonitors && !hasServiceMonitors)
      onProblem('the cluster has no PodMonitors and no ServiceMonitors (monitoring.coreos.com/v1)');
    return {
      pods,
      ...(hasPodMonitors ? { podMonitors } : {}),
      ...(hasServiceMonitors ? { serviceMonitors, services } : {}),
    };
  }

  async #createProxy(): Promise<PodProxy | undefined> {
    const { cluster, usesProxy } = this.#options;
    if (!usesProxy) return undefined;
    return { server: cluster.server, access: await cluster.createProxyAccess() };
  }

  #listTargets(watchers: Watchers, proxy: PodProxy | undefined, problems: PodProblems): readonly Target[] {
    const monitors: Monitors = {
      podMonitors: watchers.podMonitors?.objects ?? [],
      serviceMonitors: watchers.serviceMonitors?.objects ?? [],
      services: watchers.services?.objects ?? [],
    };
    const targets = new Map<string, Target>();
    for (const pod of watchers.pods.objects.filter(isRunning).sort(comparePods))
      for (const target of this.#createTargets(pod, monitors, proxy, problems))
        if (!targets.has(target.url)) targets.set(target.url, target);
    return [...targets.values()];
  }

  #createTargets(
    pod: Pod,
    monitors: Monitors,
    proxy: PodProxy | undefined,
    problems: PodProblems,
  ): readonly Target[] {
    const found = this.#findEndpoints(pod, monitors);
    for (const problem of found.problems) problems.report(pod, problem);
    return found.endpoints.flatMap(endpoint => {
      try {
        return [createPodTarget(pod, endpoint, proxy)];
      } catch (error) {
        if (!(error instanceof TargetError || error instanceof SourceError)) throw error;
        problems.report(pod, `pod ${pod.metadata.namespace}/${pod.metadata.name}: ${error.message}`);
        return [];
      }
    });
  }

  /** Returns the endpoints of a pod. Those of monitors take precedence over AIPerf's rules. */
  #findEndpoints(pod: Pod, monitors: Monitors): PodEndpoints {
    const monitored = listMonitoredEndpoints(pod, monitors);
    if (monitored) return monitored;
    const { labelSelector, acceptsAnnotation } = this.#options;
    const rules: PodRules = { hasSelector: labelSelector !== undefined, acceptsAnnotation };
    return isSelectedPod(pod, rules) ? listPodEndpoints(pod) : { endpoints: [], problems: [] };
  }
}

/** Reports each problem of a pod once. */
class PodProblems {
  readonly #onProblem: (message: string) => void;
  readonly #reported = new Set<string>();

  constructor(onProblem: (message: string) => void) {
    this.#onProblem = onProblem;
  }

  report({ metadata: { uid } }: Pod, message: string): void {
    const key = `${uid} ${message}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#onProblem(`${message}; the pod is not scraped`);
  }
}

/** Lists the objects of a custom resource. Returns false if the cluster does not have the resource. */
async function listIfInstalled(watcher: ObjectWatcher<Monitor>): Promise<boolean> {
  try {
    await watcher.list();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

function isRunning({ status }: Pod): boolean {
  return status?.phase === 'Running' && Boolean(status.podIP);
}

function comparePods({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const [left, right] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
