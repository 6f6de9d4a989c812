import { DEFAULT_MODE, DISCOVERY_DEFAULTS, type DiscoverySettings } from '../../discoverySettings.ts';
import { type Cluster, loadCluster } from './cluster.ts';
import type { Environment } from './environment.ts';
import { KubernetesSource } from './kubernetesSource.ts';
import { findNamespace } from './namespace.ts';

/** Creates the sources of one cluster, whose configuration is loaded once. */
export class KubernetesFactory {
  readonly #settings: DiscoverySettings;
  readonly #env: Environment;
  readonly #cluster: Cluster;

  /** Loads the configuration of the cluster. Throws `SourceError` if there is none. */
  constructor(settings: DiscoverySettings, env: Environment) {
    const { mode = DEFAULT_MODE, kubeconfig, context } = settings;
    this.#settings = settings;
    this.#env = env;
    this.#cluster = loadCluster({
      isInCluster: mode === 'auto',
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
  }

  /** Creates the source. The host of a URL may name the namespace. */
  create(serverUrls: readonly string[]): KubernetesSource {
    const {
      namespace,
      label_selector,
      timeout_seconds = DISCOVERY_DEFAULTS.timeout_seconds,
    } = this.#settings;
    const { annotations = false, monitors = false, proxy = false } = this.#settings;
    const found = findNamespace({
      ...(namespace === undefined ? {} : { explicit: namespace }),
      ...(this.#env.AIPERF_NAMESPACE === undefined ? {} : { environment: this.#env.AIPERF_NAMESPACE }),
      ...(this.#cluster.namespace === undefined ? {} : { cluster: this.#cluster.namespace }),
      serverUrls,
    });
    return new KubernetesSource({
      cluster: this.#cluster,
      ...(found === undefined ? {} : { namespace: found }),
      ...(label_selector === undefined ? {} : { labelSelector: label_selector }),
      acceptsAnnotation: annotations,
      usesMonitors: monitors,
      usesProxy: proxy,
      timeoutMs: timeout_seconds * 1000,
    });
  }
}
