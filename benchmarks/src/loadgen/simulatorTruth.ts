import type { RequestRecord } from '@org/loadgen';

/** The simulator's times of a request, in ns. */
export interface RequestTruth {
  readonly id: number;
  readonly receivedNs: number;
  readonly firstWrittenNs: number;
  readonly lastWrittenNs: number;
  readonly outputTokens: number;
}

/**
 * Fetches the simulator's truth. Returns a function that finds the entry of a record, and throws if there is
 * none.
 */
export async function fetchTruth(url: string): Promise<(record: RequestRecord) => RequestTruth> {
  const response = await fetch(`${url}/truth?values=0`);
  const { requests } = (await response.json()) as { requests: RequestTruth[] };
  const truths = new Map(requests.map(request => [request.id, request]));
  return ({ servedId }) => {
    // The last eight digits of the response ID are the number of the request.
    const truth = truths.get(Number.parseInt(servedId!.slice(-8), 16) - 1);
    if (!truth) throw new Error(`the simulator has no request ${servedId}`);
    return truth;
  };
}
