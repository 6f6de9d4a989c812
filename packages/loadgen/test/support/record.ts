import type { RequestRecord } from '../../src/requestRecord.ts';

const MS = 1e6;

/** Creates a record of a streamed request: sent at 100 ms, three pieces at 150, 160 and 190 ms, ended at 191 ms. */
export function createRecord(overrides: Partial<RequestRecord> = {}): RequestRecord {
  const timesNs = Float64Array.from([150 * MS, 160 * MS, 190 * MS]);
  return {
    phase: 'profiling',
    index: 0,
    requestId: 'request-0',
    correlationId: 'session-0',
    session: 0,
    conversationId: 'synthetic-0',
    turn: 0,
    turns: 1,
    workerId: 'worker_0',
    endpoint: 'chat',
    streaming: true,
    url: 'http://localhost:8000',
    urlIndex: 0,
    model: 'm',
    servedModel: 'm',
    servedId: 'chatcmpl-0',
    intendedNs: 98 * MS,
    startNs: 100 * MS,
    firstTokenNs: 150 * MS,
    firstOutputNs: 150 * MS,
    lastTokenNs: 190 * MS,
    endNs: 191 * MS,
    trace: {
      startNs: 99 * MS,
      blockedEndNs: 100 * MS,
      lookupStartNs: 100 * MS,
      lookupEndNs: 102 * MS,
      connectStartNs: 102 * MS,
      connectEndNs: 105 * MS,
      tlsStartNs: undefined,
      sendStartNs: 105 * MS,
      sendEndNs: 106 * MS,
      firstByteNs: 126 * MS,
      lastByteNs: 191 * MS,
    },
    traffic: { bytesSent: 2248, bytesReceived: 4500, requestBytes: 2048, responseBytes: 4096, reads: 4 },
    connectionReused: false,
    resent: false,
    status: 200,
    finishReason: 'length',
    missingEndMarker: false,
    failure: undefined,
    cancelled: false,
    cancelledNs: undefined,
    arrivals: { timesNs, tokens: new Uint32Array([1, 1, 3]), kinds: new Uint8Array(3), pieces: 3 },
    requestedOutput: 10,
    counted: { input: 100, output: 5, reasoning: 0 },
    usage: { promptTokens: 107, completionTokens: 6, totalTokens: 113 },
    speculation: undefined,
    text: undefined,
    raw: undefined,
    ...overrides,
  };
}

/** Creates a record of a request that failed with status 500. */
export function createFailedRecord(
  message = 'HTTP status 500: boom',
  overrides: Partial<RequestRecord> = {},
): RequestRecord {
  return createRecord({
    failure: { type: 'HttpError', code: 500, message },
    status: 500,
    firstTokenNs: undefined,
    lastTokenNs: undefined,
    usage: undefined,
    ...overrides,
  });
}
