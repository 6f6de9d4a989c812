import type { RequestRecord } from '@org/loadgen';

/** The times of a request that the simulator recorded, in nanoseconds. */
export interface RequestTruth {
  readonly id: number;
  readonly receivedNs: number;
  readonly firstWrittenNs: number;
  readonly lastWrittenNs: number;
  readonly outputTokens: number;
}

/**
 * Fetches the times that the simulator recorded. Returns a function that finds the times of a record, and throws if the
 * simulator has none.
 */
export async function fetchTruth(url: string): Promise<(record: RequestRecord) => RequestTruth> {
  const response = await fetch(`${url}/truth?values=0`);
  const { requests } = (await response.json()) as { requests: RequestTruth[] };
  const truthById = new Map(requests.map(request => [request.id, request]));
  return ({ servedId }) => {
    // The last eight hexadecimal digits of the response ID are the number of the request, starting from 1.
    const truth = truthById.get(Number.parseInt(servedId!.slice(-8), 16) - 1);
    if (!truth) throw new Error(`the simulator has no request ${servedId}`);
    return truth;
  };
}
