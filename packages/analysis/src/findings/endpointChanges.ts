import { formatCount } from '@org/core';
import type { Run } from '../run/run.ts';
import type { Evidence } from './rule.ts';

/** Maximum number of endpoints to name. */
const MAX_NAMED = 3;

/** Describes the endpoints that sources added, removed or listed again during profiling. */
export function findEndpointChanges({ endpoints }: Pick<Run, 'endpoints'>): Evidence[] {
  const added = endpoints.filter(({ availability }) => availability.addedNs !== undefined);
  const removed = endpoints.filter(({ availability }) => availability.removedNs !== undefined);
  const changed = new Set([...added, ...removed]);
  if (changed.size === 0) return [];
  const names = [...changed].map(({ name }) => name);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const counts = [
    ...(added.length > 0 ? [`${formatCount(added.length, 'endpoint')} added`] : []),
    ...(removed.length > 0 ? [`${formatCount(removed.length, 'endpoint')} removed`] : []),
  ];
  return [
    {
      text: `${counts.join(', ')} during profiling: ${names.slice(0, MAX_NAMED).join(', ')}${more}`,
      numbers: { added: added.length, removed: removed.length },
      magnitude: changed.size,
    },
  ];
}
