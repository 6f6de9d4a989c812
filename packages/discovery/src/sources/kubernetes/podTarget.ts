import { isIPv6 } from 'node:net';
import { type Access, parseExactTarget, parseMetricsTarget, type Target } from '@org/scrape';
import { type TargetLabels, toTargetLabels } from '../labels.ts';
import type { Pod } from './objects.ts';
import { DEFAULT_PATH, type PodEndpoint } from './podEndpoint.ts';

/** The proxy of the API server, through which pods are reached from outside of the cluster. */
export interface PodProxy {
  /** URL of the API server. */
  readonly server: string;
  /** Credentials and TLS parameters of the API server. */
  readonly access: Access;
}

/** Labels of pods that describe the role of a server, such as prefill or decode. The first one that exists is used. */
const ROLE_LABELS = [
  'llm-d.ai/role',
  'nvidia.com/dynamo-sub-component-type',
  'nvidia.com/dynamo-component-type',
  'app.kubernetes.io/component',
  'role',
];

const APP_LABELS = ['app.kubernetes.io/name', 'app'];

/** Creates the target of a metrics page. Throws `TargetError` if the pod has an invalid path. */
export function createPodTarget(pod: Pod, endpoint: PodEndpoint, proxy?: PodProxy): Target {
  const url = proxy ? buildProxyUrl(pod, endpoint, proxy.server) : buildPodUrl(pod, endpoint);
  const target = endpoint.path === DEFAULT_PATH ? parseMetricsTarget(url) : parseExactTarget(url);
  const { name, namespace, uid } = pod.metadata;
  return {
    ...target,
    ...(proxy ? { access: proxy.access } : {}),
    labels: toTargetLabels(listLabels(pod, endpoint), `pod ${namespace}/${name}`),
    identity: uid,
  };
}

function buildPodUrl({ status }: Pod, { scheme, port, path }: PodEndpoint): string {
  const ip = status!.podIP!;
  return `${scheme}://${isIPv6(ip) ? `[${ip}]` : ip}:${port}${path}`;
}

/** https://kubernetes.io/docs/tasks/access-application-cluster/access-cluster-services/#manually-constructing-apiserver-proxy-urls */
function buildProxyUrl({ metadata }: Pod, { scheme, port, path }: PodEndpoint, server: string): string {
  const prefix = scheme === 'https' ? 'https:' : '';
  const { namespace, name } = metadata;
  return `${server.replace(/\/+$/, '')}/api/v1/namespaces/${namespace}/pods/${prefix}${name}:${port}/proxy${path}`;
}

function listLabels({ metadata, spec }: Pod, { container }: PodEndpoint): TargetLabels {
  const { labels = {} } = metadata;
  const findLabel = (names: readonly string[]): string =>
    names.map(name => labels[name]).find(value => value !== undefined && value !== '') ?? '';
  return {
    namespace: metadata.namespace,
    pod: metadata.name,
    node: spec.nodeName ?? '',
    container: container ?? '',
    app: findLabel(APP_LABELS),
    role: findLabel(ROLE_LABELS),
  };
}
