import type { MetricRole } from './role.ts';
import type { ServerKind } from './serverDefinition.ts';

/** The servers whose values describe a role: those closest to the client, those that compute, or all of them. */
type RoleScope = 'frontends' | 'engines' | 'all';

const SCOPES: Readonly<Partial<Record<MetricRole, RoleScope>>> = {
  completedRequests: 'frontends',
  outputTokens: 'frontends',
  requestLatency: 'frontends',
  timeToFirstToken: 'frontends',
  interTokenLatency: 'frontends',
  waiting: 'all',
};

/** The kinds of servers that requests pass, from the client to the engine. */
const KINDS: readonly ServerKind[] = ['gateway', 'frontend', 'engine'];

/**
 * Selects the servers that together count each request of a role once: frontends and engines both measure a request
 * that passes through them. `servers` have the role.
 */
export function selectRoleServers<T>(
  role: MetricRole,
  servers: readonly T[],
  getKind: (server: T) => ServerKind,
): readonly T[] {
  const scope = SCOPES[role] ?? 'engines';
  if (scope === 'all') return servers;
  const kinds = scope === 'frontends' ? KINDS : [...KINDS].reverse();
  const first = kinds.find(kind => servers.some(server => getKind(server) === kind));
  return servers.filter(server => getKind(server) === first);
}
