import type { ServerDefinition } from './serverDefinition.ts';
import { dynamo } from './servers/dynamo.ts';
import { sglang } from './servers/sglang.ts';
import { tensorRtLlm } from './servers/tensorRtLlm.ts';
import { triton } from './servers/triton.ts';
import { vllm } from './servers/vllm.ts';

/** All known servers, in the order in which summaries list them. */
export const SERVERS: readonly ServerDefinition[] = [vllm, dynamo, sglang, tensorRtLlm, triton];

/** All known servers, frontends before engines. */
export const SERVERS_FRONTENDS_FIRST: readonly ServerDefinition[] = [...SERVERS].sort(
  (a, b) => Number(b.isFrontend ?? false) - Number(a.isFrontend ?? false),
);

/** The names of the key metrics of all servers. */
export const KEY_METRIC_NAMES: ReadonlySet<string> = new Set(
  SERVERS.flatMap(({ keyMetrics }) => keyMetrics.map(({ name }) => name)),
);

/**
 * Returns the servers that at least one of the metrics belongs to, in the order of `SERVERS`. Metrics are
 * recognized by the prefixes of their names.
 */
export function recognizeServers(metricNames: Iterable<string>): ServerDefinition[] {
  const names = [...metricNames];
  return SERVERS.filter(server => names.some(name => hasPrefix(name, server)));
}

function hasPrefix(name: string, { metricPrefixes }: ServerDefinition): boolean {
  return metricPrefixes.some(prefix => name.startsWith(prefix));
}

/** Removes the server's prefix from the name of a metric, for output that already shows the server's name. */
export function stripServerPrefix(name: string): string {
  const prefixes = SERVERS.flatMap(({ metricPrefixes }) => metricPrefixes);
  const prefix = prefixes.find(candidate => name.startsWith(candidate));
  return prefix === undefined ? name : name.slice(prefix.length);
}
