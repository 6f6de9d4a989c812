import type { Container, ContainerPort, Pod } from './objects.ts';

/** A metrics page of a pod. */
export interface PodEndpoint {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Name of the container that declares the port, if there is one. */
  readonly container?: string;
}

/** Endpoints of pods, and why some are missing. */
export interface PodEndpoints {
  readonly endpoints: readonly PodEndpoint[];
  readonly problems: readonly string[];
}

/** Which pods are scraped. */
export interface PodRules {
  /** True if the pods were selected by a label selector of the user. */
  readonly hasSelector: boolean;
  /** True to accept pods that only have the annotation `prometheus.io/scrape: "true"`. */
  readonly acceptsAnnotation: boolean;
}

const ENABLED_LABEL = 'nvidia.com/metrics-enabled';
const PATHS_ANNOTATION = 'aiperf.nvidia.com/metrics-paths';
const SCRAPE_ANNOTATION = 'prometheus.io/scrape';
const METRICS_PORT_NAME = 'metrics';

export const DEFAULT_PATH = '/metrics';

/** Parts of the names of images that contain inference servers, as in AIPerf. */
const SERVER_IMAGES = [
  ...['vllm', 'sglang', 'tritonserver', 'triton-server', 'triton-inference-server'],
  ...['tensorrt-llm', 'tensorrtllm', 'trt-llm', 'trtllm', 'dynamo'],
];

/** Reports whether a pod is scraped, by AIPerf's rules: its label, its annotation, its images, or a selector. */
export function isSelectedPod(
  { metadata, spec }: Pod,
  { hasSelector, acceptsAnnotation }: PodRules,
): boolean {
  const { labels = {}, annotations = {} } = metadata;
  return (
    hasSelector ||
    labels[ENABLED_LABEL]?.toLowerCase() === 'true' ||
    Boolean(annotations[PATHS_ANNOTATION]?.trim()) ||
    spec.containers.some(isServerImage) ||
    (acceptsAnnotation && annotations[SCRAPE_ANNOTATION]?.toLowerCase() === 'true')
  );
}

function isServerImage({ image = '' }: Container): boolean {
  // The registry and the tag or digest are not part of the name.
  const [path = ''] = image.toLowerCase().split('@');
  const name = path.replace(/:[^/]*$/, '').replace(/^[^/]*[.:][^/]*\//, '');
  return SERVER_IMAGES.some(server => name.includes(server));
}

/**
 * Returns the metrics pages of a pod: the port of `prometheus.io/port`, of the container port named metrics, or the first
 * container port; the scheme of `prometheus.io/scheme`; and the paths of `aiperf.nvidia.com/metrics-paths` or
 * `prometheus.io/path`.
 */
export function listPodEndpoints(pod: Pod): PodEndpoints {
  const { annotations = {} } = pod.metadata;
  const scheme = (annotations['prometheus.io/scheme'] || 'http').toLowerCase();
  if (scheme !== 'http' && scheme !== 'https')
    return reportProblem(
      pod,
      `has the annotation prometheus.io/scheme ${quote(scheme)}; expected http or https`,
    );
  const port = annotations['prometheus.io/port'];
  if (port !== undefined && !isPort(port))
    return reportProblem(
      pod,
      `has the annotation prometheus.io/port ${quote(port)}; expected a number from 1 to 65535`,
    );
  const found = port === undefined ? findDefaultPort(pod) : findPortNumber(pod, Number(port));
  if (!found) return reportProblem(pod, 'declares no container port; set the annotation prometheus.io/port');
  const paths = listPaths(annotations);
  return { endpoints: paths.map(path => ({ scheme, ...found, path })), problems: [] };
}

/** Returns a result without endpoints, with a message about the pod. */
export function reportProblem({ metadata: { name, namespace } }: Pod, problem: string): PodEndpoints {
  return { endpoints: [], problems: [`pod ${namespace}/${name} ${problem}`] };
}

function listPaths(annotations: Readonly<Record<string, string>>): string[] {
  const listed = (annotations[PATHS_ANNOTATION] ?? '').split(',').map(path => path.trim());
  const paths = listed.filter(path => path !== '');
  return (paths.length > 0 ? paths : [annotations['prometheus.io/path'] || DEFAULT_PATH]).map(toAbsolutePath);
}

/** Returns a path with a leading slash. */
export function toAbsolutePath(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

type FoundPort = Pick<PodEndpoint, 'port' | 'container'>;

function findDefaultPort(pod: Pod): FoundPort | undefined {
  return findPort(pod, ({ name }) => name === METRICS_PORT_NAME) ?? findPort(pod, () => true);
}

/** Returns a port by its number, with the container that declares it, if there is one. */
export function findPortNumber(pod: Pod, number: number): FoundPort {
  return findPort(pod, ({ containerPort }) => containerPort === number) ?? { port: number };
}

/** Returns the first container port that matches; undefined if there is none. */
export function findPort(pod: Pod, matches: (port: ContainerPort) => boolean): FoundPort | undefined {
  for (const { name, ports = [] } of pod.spec.containers) {
    const port = ports.find(candidate => (candidate.protocol ?? 'TCP') === 'TCP' && matches(candidate));
    if (port) return { port: port.containerPort, container: name };
  }
  return undefined;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
