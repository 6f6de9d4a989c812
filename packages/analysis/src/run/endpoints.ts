import type { EndpointInfo } from '@org/formats';
import { nameEndpoints, type ServerMetricsView } from '@org/formats/read';
import { type Availability, type AvailabilityTimes, assessAvailability } from '@org/record';
import type { ServerVersion } from '@org/servers';
import type { TargetLabels } from './targetLabels.ts';

/**
 * The state of an endpoint. `ok`: the endpoint returned data and was active until the end, or
 * until its source removed it. `impaired`: the endpoint
 * returned data, but was not active at the end. `without_data`: the endpoint never returned data. `no_metrics`: the URL
 * was derived from the URL of an API, and the server has no metrics there, or the source of the endpoint removed it before
 * a scrape succeeded.
 */
export type EndpointState = 'ok' | 'impaired' | 'without_data' | 'no_metrics';

/** An endpoint of a run, with its state and the events of its server. */
export interface RunEndpoint {
  /** The URL that was scraped. */
  readonly url: string;
  /** Unique short name: the role of the server, such as `prefill worker`, or its address. */
  readonly name: string;
  /** Unique short address, such as host and port. */
  readonly address: string;
  readonly state: EndpointState;
  /** True if the URL was derived from the URL of an API, and not given by the user. */
  readonly isDerived: boolean;
  /** The labels of the target, by name; empty if it has none. */
  readonly labels: Readonly<Record<string, string>>;
  /** The versions that the servers on the endpoint state in their metrics. */
  readonly versions: readonly ServerVersion[];
  /** The endpoint's entry in the export; absent if the export only lists the URL. */
  readonly info?: EndpointInfo;
  /** The events during profiling; none if the export only lists the URL. */
  readonly availability: Availability;
}

const NO_EVENTS: Availability = { restarts: [], outages: [], failedScrapes: 0 };

/** Reasons of failures for which a server has no metrics at a derived URL. */
const ABSENCE_REASONS: ReadonlySet<string> = new Set(['not_found', 'not_prometheus']);

/** Lists the endpoints of a document in document order, including endpoints without data. */
export function listEndpoints(
  { summary, input_config, servelens_config }: ServerMetricsView,
  names: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, string>,
  times: AvailabilityTimes,
  allVersions: ReadonlyMap<string, readonly ServerVersion[]>,
  targetLabels: TargetLabels,
): RunEndpoint[] {
  if (!summary) return [];
  const {
    endpoint_info: infos,
    endpoints_configured: configured,
    endpoints_successful: successful,
  } = summary;
  const successfulUrls = new Set(successful);
  const aliases = new Map(Object.entries(infos).map(([url, { configured_url }]) => [configured_url, url]));
  const derived = new Set(toList({ ...input_config, ...servelens_config }.server_metrics_derived));
  const urls = new Set([
    ...configured.map(url => (Object.hasOwn(infos, url) ? url : (aliases.get(url) ?? url))),
    ...successful,
    ...Object.keys(infos),
  ]);
  return [...urls].map(url => {
    const info = Object.hasOwn(infos, url) ? infos[url] : undefined;
    const name = names.get(url) ?? url;
    const address = addresses.get(url) ?? url;
    const state = determineState(info, successfulUrls.has(url));
    const isDerived = derived.has(info?.configured_url ?? url);
    const isAbsent =
      state === 'without_data' && isDerived && ABSENCE_REASONS.has(info?.last_error_reason ?? '');
    const availability = info ? assessAvailability(info, times) : NO_EVENTS;
    const versions = allVersions.get(url) ?? [];
    const labels = targetLabels.get(url) ?? {};
    const shared = { url, name, address, isDerived, labels, versions, availability, ...(info && { info }) };
    return { ...shared, state: isAbsent ? 'no_metrics' : state };
  });
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function determineState(info: EndpointInfo | undefined, isSuccessful: boolean): EndpointState {
  // An endpoint that its source removed before a scrape succeeded is not a problem.
  if (info?.total_fetches === 0 && info.status === 'removed') return 'no_metrics';
  if (info ? info.total_fetches === 0 : !isSuccessful) return 'without_data';
  if (!info) return 'ok';
  return info.status === undefined || ['active', 'removed'].includes(info.status) ? 'ok' : 'impaired';
}

/**
 * Returns unique short names of endpoints by URL: host and port, as in the CSV export, with path and query if
 * several endpoints share a host and port. Endpoints of a CSV export already have short names, which are kept.
 */
export function shortenEndpointNames(urls: Iterable<string>): Map<string, string> {
  const uniqueUrls = [...new Set(urls)];
  const hosts = new Map(uniqueUrls.map(url => [url, parseHost(url)]));
  const hostCounts = new Map<string, number>();
  for (const host of hosts.values()) hostCounts.set(host, (hostCounts.get(host) ?? 0) + 1);
  const longNames = nameEndpoints(uniqueUrls);
  return new Map(
    [...hosts].map(([url, host]) => [url, hostCounts.get(host) === 1 ? host : longNames.get(url)!]),
  );
}

function parseHost(url: string): string {
  return /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url).host : url;
}
