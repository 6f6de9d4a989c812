import type { EndpointInfo } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';

/** `ok`: nothing was lost. `impaired`: it gave data, and something is to be said. `silent`: it never gave any. */
export type EndpointState = 'ok' | 'impaired' | 'silent';

/** One endpoint of a run and how it fared. */
export interface RunEndpoint {
  /** The URL that gave the data. */
  readonly url: string;
  /** Short name, which no other endpoint of the run has. */
  readonly name: string;
  readonly state: EndpointState;
  /** What the export says of it, absent when it only lists it. */
  readonly info?: EndpointInfo;
}

/** The endpoints that a document lists, asked for or not, in its order. */
export function listEndpoints(
  { summary }: ServerMetricsView,
  names: ReadonlyMap<string, string>,
): RunEndpoint[] {
  if (!summary) return [];
  const {
    endpoint_info: infos,
    endpoints_configured: configured,
    endpoints_successful: successful,
  } = summary;
  const answered = new Set(successful);
  const aliases = new Map(Object.entries(infos).map(([url, { configured_url }]) => [configured_url, url]));
  const urls = new Set([
    ...configured.map(url => (Object.hasOwn(infos, url) ? url : (aliases.get(url) ?? url))),
    ...successful,
    ...Object.keys(infos),
  ]);
  return [...urls].map(url => {
    const info = Object.hasOwn(infos, url) ? infos[url] : undefined;
    const name = names.get(url) ?? url;
    return { url, name, state: stateOf(info, answered.has(url)), ...(info && { info }) };
  });
}

function stateOf(info: EndpointInfo | undefined, answered: boolean): EndpointState {
  if (info ? info.total_fetches === 0 : !answered) return 'silent';
  if (!info) return 'ok';
  return info.status === undefined || info.status === 'active' ? 'ok' : 'impaired';
}
