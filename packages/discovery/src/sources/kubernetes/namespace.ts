/** The places that may name the namespace. */
export interface NamespaceHints {
  /** The namespace that the user set; `*` for all namespaces. */
  readonly explicit?: string;
  /** The namespace in the environment, AIPERF_NAMESPACE. */
  readonly environment?: string;
  /** The namespace of the service account or of the context of the kubeconfig. */
  readonly cluster?: string;
  /** URLs of the servers under load, whose hosts may be names of services. */
  readonly serverUrls: readonly string[];
}

const ALL = '*';
const DEFAULT_NAMESPACE = 'default';

/**
 * Returns the namespace whose pods are scraped, by AIPerf's rules; undefined for all namespaces. Explicit names come
 * first, then the environment and the cluster, then the name of a service such as `vllm.llm.svc` in a URL.
 */
export function findNamespace(hints: NamespaceHints): string | undefined {
  const { explicit, environment, cluster, serverUrls } = hints;
  const fromUrls = serverUrls.map(findServiceNamespace).find(name => name !== undefined);
  const name = explicit || environment || cluster || fromUrls || DEFAULT_NAMESPACE;
  return name === ALL ? undefined : name;
}

/** Returns the namespace in the host of a service, such as `llm` of `http://vllm.llm.svc.cluster.local:8000`. */
function findServiceNamespace(url: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(text)) return undefined;
  return /^[^.]+\.([^.]+)\.svc(?:\.|$)/.exec(new URL(text).hostname)?.[1];
}
