/** A kind of objects in a namespace, or in all namespaces. */
export interface Resource {
  /** Name in URLs and in rules of RBAC, such as `pods`. */
  readonly plural: string;
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The namespace; undefined for all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
}

const MONITORING = { group: 'monitoring.coreos.com', version: 'v1' };

/** Kinds of objects that discovery reads. */
export const RESOURCES: Readonly<
  Record<
    'pods' | 'services' | 'podMonitors' | 'serviceMonitors',
    Pick<Resource, 'plural' | 'group' | 'version'>
  >
> = {
  pods: { plural: 'pods', group: '', version: 'v1' },
  services: { plural: 'services', group: '', version: 'v1' },
  podMonitors: { plural: 'podmonitors', ...MONITORING },
  serviceMonitors: { plural: 'servicemonitors', ...MONITORING },
};

/** Returns the path of a resource in the API. */
export function buildResourcePath({ plural, group, version, namespace }: Resource): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined
    ? `${api}/${plural}`
    : `${api}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

/** Describes where objects are, such as `in namespace "llm"`. */
export function describePlace({ namespace }: Pick<Resource, 'namespace'>): string {
  return namespace === undefined ? 'in all namespaces' : `in namespace ${JSON.stringify(namespace)}`;
}
