import type { RequestRecord } from '@org/loadgen';

/** Creates the record of a streamed request that takes 100 ms. `startNs` is relative to the time origin of the run. */
export function createRecord(startNs: number, changes: Partial<RequestRecord> = {}): RequestRecord {
  const endNs = startNs + 1e8;
  return {
    phase: 'profiling',
    requestId: 'r',
    correlationId: 'c',
    session: 0,
    conversationId: 'k',
    turn: 0,
    workerId: 'worker_0',
    endpoint: 'chat',
    streaming: true,
    intendedNs: startNs,
    startNs,
    firstTokenNs: endNs,
    firstOutputNs: endNs,
    lastTokenNs: endNs,
    endNs,
    trace: { startNs },
    traffic: { requestBytes: 1, responseBytes: 2, reads: 3, bytesSent: 4, bytesReceived: 5 },
    connectionReused: true,
    cancelled: false,
    arrivals: {
      timesNs: new Float64Array(0),
      tokens: new Uint32Array(0),
      kinds: new Uint8Array(0),
      pieces: 0,
    },
    counted: { input: 12, output: 34 },
    ...changes,
  } as unknown as RequestRecord;
}
