import { expect, test } from 'vitest';
import { toRawRecord } from '../../src/profile/rawRecord.ts';
import { toRequestLine } from '../../src/profile/requestLine.ts';
import { createRequestRedactor } from '../../src/profile/secrets.ts';
import { createProfilePlan } from '../plans.ts';
import { createRecord } from './records.ts';

test('the metadata of raw records has no fields that AIPerf does not have', () => {
  const { request } = createProfilePlan('http://localhost:8000');
  const record = createRecord(0, {
    finishReason: 'stop',
    requestedOutput: 50,
    missingEndMarker: true,
    raw: { headers: [], payload: '{}', messages: [], contentType: undefined },
  });
  const clientTokens = { input: 1, output: 2, reasoning: 0 };
  const line = toRequestLine(record, {}, { originNs: 0n, hasWarmup: false, clientTokens });
  expect(line.metadata).toMatchObject({
    stopped_early: true,
    stream_finished: false,
    client_tokens: clientTokens,
  });
  const redaction = { request, redactor: createRequestRedactor(request) };
  const { metadata } = toRawRecord(record, line, redaction)!;
  const {
    stopped_early: _stopped,
    stream_finished: _finished,
    client_tokens: _tokens,
    ...expected
  } = line.metadata;
  expect(metadata).toEqual(expected);
});
