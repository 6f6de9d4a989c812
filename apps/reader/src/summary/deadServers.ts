import { createRunFromView, describeDeath, hasData } from '@org/analysis';
import type { ServerMetricsView } from '@org/formats/read';

/** The servers of a run that stopped responding during profiling and did not recover. */
export interface DeadServers {
  /** A sentence about each server, such as `localhost:8000 stopped responding after 20 s and did not recover`. */
  readonly messages: readonly string[];
  /** True if no server that returned data was still responding at the end of the run. */
  readonly isEveryServer: boolean;
}

/** Finds the dead servers of a run in its export. */
export function findDeadServers(document: ServerMetricsView): DeadServers {
  const { endpoints, times } = createRunFromView(document);
  const messages = endpoints.flatMap(endpoint => describeDeath(endpoint, times) ?? []);
  return {
    messages,
    isEveryServer: messages.length > 0 && messages.length === endpoints.filter(hasData).length,
  };
}
