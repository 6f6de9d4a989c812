import type { ServingSystem } from '../servers/servingSystem.ts';
import type { Evidence } from './rule.ts';

/** The share of loaded time below which averages differ noticeably from those of the whole run. */
const MIN_LOADED_SHARE = 0.95;

/** Returns `on average`, with a note if averages leave out the time without requests at the start and the end. */
export function describeAverage({ window }: Pick<ServingSystem, 'window'>): string {
  return window.loadedShare < MIN_LOADED_SHARE ? 'on average while loaded' : 'on average';
}

/** Creates evidence about the whole system. Names the endpoint only if there is no other. */
export function describeSystem(
  { endpoints }: ServingSystem,
  evidence: Omit<Evidence, 'endpoint'>,
): { readonly evidence: readonly Evidence[] } {
  const [endpoint] = endpoints.size === 1 ? endpoints : [];
  return { evidence: [{ ...(endpoint !== undefined && { endpoint }), ...evidence }] };
}
