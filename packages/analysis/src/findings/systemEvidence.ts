import type { Evidence } from './rule.ts';
import type { ServingSystem } from './servingSystem.ts';

/** Creates evidence about the whole system. Names the endpoint only if there is no other. */
export function describeSystem(
  { endpoints }: ServingSystem,
  evidence: Omit<Evidence, 'endpoint'>,
): { readonly evidence: readonly Evidence[] } {
  const [endpoint] = endpoints.size === 1 ? endpoints : [];
  return { evidence: [{ ...(endpoint !== undefined && { endpoint }), ...evidence }] };
}
