import { describe, expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';
import { failure } from '../../src/failure.ts';
import { EventReader } from '../../src/response/eventStreamReader.ts';
import { Answer } from '../../src/response/response.ts';
import { Endings } from '../../src/response/truncationDetector.ts';
import { DONE, said } from '../support/server.ts';

function read(stream: string): Answer {
  const answer = new Answer();
  const reader = new EventReader(chat, answer);
  reader.bytes(1, Buffer.from(stream));
  reader.end(true, () => {});
  return answer;
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const reason = (finish_reason: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`;

const A = 'http://a:8000';
const B = 'http://b:8000';

describe.each([
  ['[DONE]', said('a') + DONE],
  ['a finish_reason', said('a') + reason('stop')],
  ['a usage in the last chunk', `${said('a')}data: ${JSON.stringify({ choices: [], usage })}\n\n`],
  ['[DONE] and nothing else', DONE],
])('a stream with %s', (_, stream) => {
  test('is finished, and tells that those of its server say so', () => {
    const endings = new Endings();
    const whole = read(stream);
    endings.judge(A, whole);
    expect([whole.failure, whole.isSilent]).toEqual([undefined, false]);
    const [cut, other] = [read(said('a')), read(said('a'))];
    endings.judge(A, cut);
    endings.judge(B, other);
    expect(cut.failure).toMatchObject({
      type: 'UnfinishedStream',
      message: 'it ended without [DONE], finish_reason or usage, which other streams of its server have',
    });
    expect([other.failure, other.isSilent]).toEqual([undefined, true]);
  });
});

test.each([
  ['nothing but content', said('a') + said('b')],
  ['an empty reason in every chunk', reason('') + said('a') + reason('')],
  ['a usage in every chunk', said('', { usage }) + said('a', { usage }) + said('b', { usage })],
])('a stream with %s does not say that it is finished', (_, stream) => {
  const endings = new Endings();
  const [first, second] = [read(stream), read(stream)];
  endings.judge(A, first);
  endings.judge(A, second);
  expect([first, second].map(({ failure, isSilent }) => [failure, isSilent])).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

test('what has failed otherwise, or has no content, is not judged', () => {
  const endings = new Endings();
  endings.judge(A, read(DONE));
  const [failed, empty] = [read(said('a')), read(said(''))];
  failed.fail(failure('StreamError', 'gone'));
  endings.judge(A, failed);
  endings.judge(A, empty);
  expect([failed.failure?.type, failed.isSilent]).toEqual(['StreamError', false]);
  expect([empty.failure, empty.isSilent]).toEqual([undefined, false]);
});
