import type { Run, RunEndpoint } from '../run/run.ts';

/** Lists the endpoints without data, except those that are duplicates of other endpoints. */
export function listEndpointsWithoutData({ endpoints }: Run): RunEndpoint[] {
  return endpoints.filter(({ state, info }) => state === 'without_data' && info?.status !== 'duplicate');
}

/** Returns the command that requests the metrics of the first endpoint without data; undefined if all have data. */
export function recommendRequest(run: Run): string | undefined {
  const [failed] = listEndpointsWithoutData(run);
  return failed && `curl ${failed.info?.configured_url ?? failed.url}`;
}
