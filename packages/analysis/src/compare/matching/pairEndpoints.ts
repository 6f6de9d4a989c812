import type { RunEndpoint } from '../../run/run.ts';
import { isVolatileLabel } from './volatileLabels.ts';

type LabelledEndpoint = Pick<RunEndpoint, 'name' | 'labels'>;

/** Returns the labels that endpoints are paired by, as text; undefined if the endpoint has none of them. */
type PairingKey = (endpoint: LabelledEndpoint) => string | undefined;

/** The keys that endpoints are paired by, the most specific one first. */
const KEYS: readonly PairingKey[] = [
  // Pods of a StatefulSet have the same names in all runs.
  ({ labels: { namespace, pod } }) => (pod === undefined ? undefined : JSON.stringify([namespace, pod])),
  ({ labels }) => {
    const stable = Object.entries(labels).filter(([name]) => !isVolatileLabel(name));
    return stable.length === 0 ? undefined : JSON.stringify(stable.sort(([a], [b]) => (a < b ? -1 : 1)));
  },
  ({ labels: { role } }) => role,
];

/**
 * Pairs endpoints of two runs by the labels of their targets: by pod, then by all labels that do not identify a process or
 * a host, then by role. Endpoints with the same labels are paired in order if both runs have the same number of them.
 * Returns the names of the endpoints in `first` by their names in `run`.
 */
export function pairByTargetLabels(
  run: readonly LabelledEndpoint[],
  first: readonly LabelledEndpoint[],
): Map<string, string> {
  const pairs = new Map<string, string>();
  const paired = new Set<LabelledEndpoint>();
  for (const key of KEYS) {
    const groups = groupBy(run, key, paired);
    for (const [text, firstGroup] of groupBy(first, key, paired)) {
      const group = groups.get(text);
      if (group?.length !== firstGroup.length) continue;
      for (const [index, endpoint] of group.entries()) {
        pairs.set(endpoint.name, firstGroup[index]!.name);
        paired.add(endpoint).add(firstGroup[index]!);
      }
    }
  }
  return pairs;
}

function groupBy(
  endpoints: readonly LabelledEndpoint[],
  key: PairingKey,
  paired: ReadonlySet<LabelledEndpoint>,
): Map<string, LabelledEndpoint[]> {
  const groups = new Map<string, LabelledEndpoint[]>();
  for (const endpoint of endpoints) {
    const text = paired.has(endpoint) ? undefined : key(endpoint);
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), endpoint]);
  }
  return groups;
}
