import { expect, test } from 'vitest';
import type { RequestRecord } from '../../src/requestRecord.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { PIECE_OUTPUT, PIECE_REASONING } from '../../src/response/responseContent.ts';
import type { InFlightRequest } from '../../src/run/inFlightRequest.ts';
import {
  type EndedRequestInfo,
  RecordBuilder,
  type RecordBuilderOptions,
} from '../../src/run/recordBuilder.ts';
import { Session } from '../../src/run/session.ts';
import type { CountResult, TokenCounter } from '../../src/tokens/counter.ts';

/** Times of an exchange over a new TLS connection, in ns. */
const EXCHANGE = {
  startNs: 1,
  wireStartNs: 2,
  connect: { startNs: 2, lookupStartNs: 3, lookupEndNs: 4, connectedNs: 5, securedNs: 6 },
  sendStartNs: 7,
  sendEndNs: 8,
  firstByteNs: 9,
  lastByteNs: 10,
  endNs: 11,
  bytesSent: 100,
  bytesReceived: 200,
  bodyBytes: 150,
  reads: 2,
  status: 200,
};

function createEndedRequest(
  overrides: Partial<EndedRequestInfo> = {},
  exchange: object = EXCHANGE,
): EndedRequestInfo {
  const response = new ParsedResponse();
  response.content.push(9, PIECE_REASONING, 'hm');
  response.content.push(10, PIECE_OUTPUT, 'a');
  response.usage = { promptTokens: 20, completionTokens: 7, reasoningTokens: 3 };
  return {
    request: { response, exchange, cancelledNs: undefined } as unknown as InFlightRequest,
    session: new Session({ id: 'c', turns: [{ text: 'hi' }, { text: 'you' }] }, 4, 'correlation'),
    turn: 0,
    phase: 'profiling',
    index: 6,
    requestId: 'request',
    url: 'http://h',
    urlIndex: 0,
    model: 'm',
    intendedNs: 1,
    requestBytes: 90,
    requestedOutput: 5,
    streaming: true,
    uncounted: { texts: ['hi'], knownTokens: 10 },
    chat: undefined,
    hasContext: true,
    inputText: 'hi',
    sent: undefined,
    ...overrides,
  };
}

/** Builds the records of ended requests. */
async function buildRecords(
  ended: readonly EndedRequestInfo[],
  options: Partial<RecordBuilderOptions> = {},
): Promise<RequestRecord[]> {
  const records: RequestRecord[] = [];
  const builder = new RecordBuilder({
    counter: undefined,
    workerId: 'worker_0',
    endpoint: 'chat',
    keepText: false,
    onRecord: record => records.push(record),
    ...options,
  });
  for (const info of ended) builder.add(info);
  await builder.flush();
  return records;
}

/** Creates a counter that returns these results, one per job. */
function createCounter(results: readonly Promise<CountResult>[]): TokenCounter {
  const remaining = [...results];
  return { name: 'fake', count: () => remaining.shift()!, close: async () => {} };
}

const counted: CountResult = { input: 2, output: 4, reasoning: 1, pieces: Uint32Array.of(1, 4) };

test('records the times of each step of the exchange', async () => {
  const [record] = await buildRecords([createEndedRequest()]);
  expect(record).toMatchObject({
    startNs: 2,
    firstTokenNs: 9,
    firstOutputNs: 10,
    lastTokenNs: 10,
    endNs: 11,
  });
  expect(record!.trace).toEqual({
    startNs: 1,
    blockedEndNs: 2,
    lookupStartNs: 3,
    lookupEndNs: 4,
    connectStartNs: 4,
    connectEndNs: 6,
    tlsStartNs: 5,
    sendStartNs: 7,
    sendEndNs: 8,
    firstByteNs: 9,
    lastByteNs: 10,
  });
  expect(record!.traffic).toEqual({
    bytesSent: 100,
    bytesReceived: 200,
    requestBytes: 90,
    responseBytes: 150,
    reads: 2,
  });
});

test('records no connect times for a reused connection', async () => {
  const [record] = await buildRecords([createEndedRequest({}, { ...EXCHANGE, connect: undefined })]);
  const { lookupStartNs, connectStartNs, connectEndNs, tlsStartNs } = record!.trace;
  expect([lookupStartNs, connectStartNs, connectEndNs, tlsStartNs]).toEqual(Array(4).fill(undefined));
});

test('an embedding ends with the last byte of the response', async () => {
  const response = new ParsedResponse();
  response.results = 2;
  const request = { response, exchange: EXCHANGE, cancelledNs: undefined } as unknown as InFlightRequest;
  const [record] = await buildRecords([createEndedRequest({ request })]);
  expect(record).toMatchObject({ firstTokenNs: undefined, lastTokenNs: 10, failure: undefined });
});

test('counts the tokens of a request and of each piece of its response', async () => {
  const [record] = await buildRecords([createEndedRequest()], {
    counter: createCounter([Promise.resolve(counted)]),
  });
  expect(record!.counted).toEqual({ input: 12, output: 4, reasoning: 1 });
  expect(record!.arrivals).toMatchObject({ tokens: Uint32Array.of(1, 4), pieces: 2 });
});

test('adds the tokens of earlier turns to the prompt if the request includes these turns', async () => {
  const { session } = createEndedRequest();
  const turns = [0, 1].map(turn =>
    createEndedRequest({ session, turn, uncounted: { texts: ['x'], knownTokens: 0 } }),
  );
  const createTestCounter = (): TokenCounter =>
    createCounter([Promise.resolve(counted), Promise.resolve(counted)]);
  const records = await buildRecords(turns, { counter: createTestCounter() });
  // The second prompt consists of the first prompt, its response without reasoning, and two new tokens.
  expect(records.map(({ counted }) => counted.input)).toEqual([2, 2 + 4 + 2]);
  const withoutContext = await buildRecords(
    turns.map(info => ({ ...info, hasContext: false })),
    { counter: createTestCounter() },
  );
  expect(withoutContext.map(({ counted }) => counted.input)).toEqual([2, 2]);
});

test('delivers records in the order of the requests, without counts if counting fails', async () => {
  const failing = Promise.reject<CountResult>(new Error('the thread has exited'));
  const records = await buildRecords([createEndedRequest({ index: 0 }), createEndedRequest({ index: 1 })], {
    counter: createCounter([failing, Promise.resolve(counted)]),
  });
  expect(records.map(({ index, counted: { output } }) => [index, output])).toEqual([
    [0, undefined],
    [1, 4],
  ]);
  expect(records[0]!.arrivals.tokens).toEqual(new Uint32Array(2));
});

test.each([
  [false, undefined],
  [true, { input: 'hi', output: 'a', reasoning: 'hm' }],
])('with keepText %s, the text is %j', async (keepText, text) => {
  expect((await buildRecords([createEndedRequest()], { keepText }))[0]!.text).toEqual(text);
});

test('the count with the chat template replaces that of the texts, without the earlier messages', async () => {
  const session = new Session({ id: 'c', turns: [{ text: 'hi' }] }, 4, 'correlation');
  session.contextTokens = 100;
  const chat = { messages: [{ role: 'user', content: 'hi' }], toolTexts: [] };
  const [first, second] = await buildRecords(
    [createEndedRequest({ session, chat }), createEndedRequest({ session, chat })],
    {
      counter: createCounter([
        Promise.resolve({ ...counted, chat: { tokens: 50 } }),
        Promise.resolve({ ...counted, chat: { problem: 'no template' } }),
      ]),
    },
  );
  expect(first).toMatchObject({ counted: { input: 50, output: 4 } });
  expect(first).not.toHaveProperty('templateProblem');
  // 100 + 12 tokens of the texts and 4 of the output, and then 12 more.
  expect(second).toMatchObject({ counted: { input: 128 }, templateProblem: 'no template' });
});
