import type { RequestRecord } from '@org/loadgen';

/** What the simulator says of a request; times in ns. */
export interface Truth {
  readonly id: number;
  readonly receivedNs: number;
  readonly firstWrittenNs: number;
  readonly lastWrittenNs: number;
  readonly outputTokens: number;
}

/** Asks the simulator what really happened, and gives what it has for a record. Throws for a request that it does not know. */
export async function fetchTruth(url: string): Promise<(record: RequestRecord) => Truth> {
  const answer = await fetch(`${url}/truth?values=0`);
  const { requests } = (await answer.json()) as { requests: Truth[] };
  const truths = new Map(requests.map(request => [request.id, request]));
  return ({ servedId }) => {
    // The last eight digits of the server's id count its requests.
    const truth = truths.get(Number.parseInt(servedId!.slice(-8), 16) - 1);
    if (!truth) throw new Error(`the simulator knows nothing of ${servedId}`);
    return truth;
  };
}
