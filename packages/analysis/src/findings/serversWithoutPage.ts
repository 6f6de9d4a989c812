import type { RunEndpoint } from '../run/run.ts';

/**
 * Lists the endpoints without a metrics page, except those whose page the user gave: on each host, as many pages may be
 * elsewhere as the user named there.
 */
export function listServersWithoutPage(endpoints: readonly RunEndpoint[]): RunEndpoint[] {
  const named = endpoints.filter(
    ({ state, isDerived }) => !isDerived && (state === 'ok' || state === 'impaired'),
  );
  const absent = endpoints.filter(({ state, info }) => state === 'no_metrics' && info?.status !== 'removed');
  return absent.filter(({ url }) => {
    const host = parseHost(url);
    const isOnHost = (other: RunEndpoint): boolean => parseHost(other.url) === host;
    return host === undefined || named.filter(isOnHost).length < absent.filter(isOnHost).length;
  });
}

/** Returns the name of a host without its port; undefined for the names in a CSV export. */
function parseHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
