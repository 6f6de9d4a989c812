import { matchesSelector } from './labelSelector.ts';
import type { Monitor, MonitorEndpoint, Pod, Service } from './objects.ts';
import {
  DEFAULT_PATH,
  findPort,
  findPortNumber,
  type PodEndpoint,
  type PodEndpoints,
  reportProblem,
  toAbsolutePath,
} from './podEndpoint.ts';

/** The monitors of Prometheus Operator in the watched namespaces, and the services that they select. */
export interface Monitors {
  readonly podMonitors: readonly Monitor[];
  readonly serviceMonitors: readonly Monitor[];
  readonly services: readonly Service[];
}

/** Returns the metrics pages of a pod that monitors select; undefined if no monitor selects the pod. */
export function listMonitoredEndpoints(pod: Pod, monitors: Monitors): PodEndpoints | undefined {
  const results = [...listPodMonitorResults(pod, monitors), ...listServiceMonitorResults(pod, monitors)];
  if (results.length === 0) return undefined;
  return {
    endpoints: results.flatMap(({ endpoints }) => endpoints),
    problems: results.flatMap(({ problems }) => problems),
  };
}

function listPodMonitorResults(pod: Pod, { podMonitors }: Monitors): PodEndpoints[] {
  return podMonitors
    .filter(monitor => selects(monitor, pod))
    .flatMap(monitor =>
      (monitor.spec.podMetricsEndpoints ?? []).map(endpoint =>
        resolveEndpoint(
          pod,
          endpoint,
          findMonitoredPort(pod, endpoint),
          `PodMonitor ${monitor.metadata.name}`,
        ),
      ),
    );
}

function listServiceMonitorResults(pod: Pod, { serviceMonitors, services }: Monitors): PodEndpoints[] {
  return services
    .filter(service => selectsPod(service, pod))
    .flatMap(service =>
      serviceMonitors
        .filter(monitor => selects(monitor, service))
        .flatMap(monitor =>
          (monitor.spec.endpoints ?? []).map(endpoint =>
            resolveEndpoint(
              pod,
              endpoint,
              findServicePort(pod, service, endpoint),
              `ServiceMonitor ${monitor.metadata.name}`,
            ),
          ),
        ),
    );
}

/** Reports whether a monitor selects an object. By default, a monitor selects only objects in its namespace. */
function selects({ metadata, spec }: Monitor, object: Pod | Service): boolean {
  const { any = false, matchNames = [metadata.namespace] } = spec.namespaceSelector ?? {};
  const isInNamespace = any || matchNames.includes(object.metadata.namespace);
  return isInNamespace && matchesSelector(spec.selector ?? {}, object.metadata.labels);
}

/** Reports whether a service sends requests to a pod. A service without a selector selects none. */
function selectsPod({ metadata, spec }: Service, pod: Pod): boolean {
  const { selector = {} } = spec ?? {};
  return (
    metadata.namespace === pod.metadata.namespace &&
    Object.keys(selector).length > 0 &&
    matchesSelector({ matchLabels: selector }, pod.metadata.labels)
  );
}

type FoundPort = Pick<PodEndpoint, 'port' | 'container'>;

function findMonitoredPort(
  pod: Pod,
  { port, portNumber, targetPort }: MonitorEndpoint,
): FoundPort | undefined {
  if (port !== undefined) return findPort(pod, ({ name }) => name === port);
  return findTargetPort(pod, portNumber ?? targetPort);
}

function findServicePort(
  pod: Pod,
  { spec }: Service,
  { port, targetPort }: MonitorEndpoint,
): FoundPort | undefined {
  if (port === undefined) return findTargetPort(pod, targetPort);
  const servicePort = spec?.ports?.find(({ name }) => name === port);
  return servicePort && findTargetPort(pod, servicePort.targetPort ?? servicePort.port);
}

function findTargetPort(pod: Pod, target: number | string | undefined): FoundPort | undefined {
  if (target === undefined) return undefined;
  return typeof target === 'number'
    ? findPortNumber(pod, target)
    : findPort(pod, ({ name }) => name === target);
}

function resolveEndpoint(
  pod: Pod,
  { port, portNumber, targetPort, path = DEFAULT_PATH, scheme = 'http', params = {} }: MonitorEndpoint,
  found: FoundPort | undefined,
  monitor: string,
): PodEndpoints {
  const lowerScheme = scheme.toLowerCase();
  if (lowerScheme !== 'http' && lowerScheme !== 'https')
    return reportProblem(
      pod,
      `is selected by ${monitor} with the scheme ${JSON.stringify(scheme)}; expected http or https`,
    );
  const name = port ?? portNumber ?? targetPort ?? '';
  if (!found) return reportProblem(pod, `is selected by ${monitor}, but has no port ${JSON.stringify(name)}`);
  const pairs = Object.entries(params).flatMap(([key, values]) =>
    values.map((value): [string, string] => [key, value]),
  );
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return { endpoints: [{ scheme: lowerScheme, ...found, path: toAbsolutePath(path) + query }], problems: [] };
}
