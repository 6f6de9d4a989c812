import { describe, expect, test } from 'vitest';
import type { EndpointName } from '../../src/endpoint/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import {
  buildBody,
  buildHeaders,
  parseAddresses,
  readUrlCredentials,
  selectModel,
} from '../../src/run/target.ts';

const target = { model: 'm', streaming: true };

test.each([
  ['localhost:8000', undefined, 'http://localhost:8000', '/v1/chat/completions'],
  ['http://h:1/', undefined, 'http://h:1', '/v1/chat/completions'],
  ['https://h/base', undefined, 'https://h', '/base/v1/chat/completions'],
  ['http://h/v1', undefined, 'http://h', '/v1/chat/completions'],
  ['http://h/v1/chat/completions', undefined, 'http://h', '/v1/chat/completions'],
  ['http://h/x?key=1', '/generate', 'http://h', '/x/generate?key=1'],
  ['http://[::1]:80', 'generate', 'http://[::1]', '/generate'],
])('parses URL %s with path %s', (url, path, origin, expected) => {
  const options = { ...target, urls: [url], ...(path === undefined ? {} : { path }) };
  expect(parseAddresses(options, ENDPOINTS.chat)).toEqual([
    { url, origin, path: expected, authorization: undefined },
  ]);
});

test.each([
  ['http://me:p%40ss@h:1/x', 'http://h:1/x'],
  ['http://me:p@ss@h:1/x', 'http://h:1/x'],
  ['me:p%40ss@h:1/x', 'h:1/x'],
  ['http://me:p%40ss@h:1?to=a@b', 'http://h:1?to=a@b'],
])('moves the credentials of %s to a header', (configuredUrl, url) => {
  const [address] = parseAddresses({ ...target, urls: [configuredUrl] }, ENDPOINTS.chat);
  expect(address).toMatchObject({ url, origin: 'http://h:1' });
  expect(address!.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});

test('custom headers replace default headers regardless of case', () => {
  const headers = buildHeaders({
    ...target,
    urls: [],
    apiKey: 'k',
    headers: { AUTHORIZATION: 'Basic x', Accept: '*/*' },
  });
  const pairs = Array.from({ length: headers.length / 2 }, (_, i) => [headers[2 * i], headers[2 * i + 1]]);
  expect(pairs).toContainEqual(['AUTHORIZATION', 'Basic x']);
  expect(pairs).toContainEqual(['Accept', '*/*']);
  expect(pairs).toHaveLength(5);
});

test.each([
  ['http://a:1', undefined],
  ['http://me:pass@a:1', ['me', 'pass']],
  ['http://me@a:1', ['me', '']],
  ['http://me:p%40s%C3%A9@a:1', ['me', 'p@sé']],
  // Invalid escapes are not decoded.
  ['http://me:100%@a:1', ['me', '100%']],
  ['http://me:%zz%40@a:1', ['me', '%zz@']],
  ['http://me:%ff@a:1', ['me', '%ff']],
])('reads the credentials of %s', (url, expected) => {
  const credentials = readUrlCredentials(new URL(url));
  expect(credentials && [credentials.user, credentials.password]).toEqual(expected);
  if (credentials)
    expect(Buffer.from(credentials.basic, 'base64').toString()).toBe(
      `${credentials.user}:${credentials.password}`,
    );
});

test.each([
  ['m', undefined, ['m', 'm', 'm', 'm']],
  [['a', 'b'], undefined, ['a', 'b', 'a', 'b']],
  [['a', 'b', 'c'], 'round_robin', ['a', 'b', 'c', 'a']],
] as const)(
  'chooses the model of each session from %j with strategy %s',
  (model, modelSelection, expected) => {
    const target = { urls: [], model, streaming: false, ...(modelSelection ? { modelSelection } : {}) };
    expect([0, 1, 2, 3].map(session => selectModel(target, session, 1))).toEqual(expected);
  },
);

test('chooses models at random by the seed', () => {
  const target = { urls: [], model: ['a', 'b'], modelSelection: 'random', streaming: false } as const;
  const select = (seed: number) =>
    Array.from({ length: 100 }, (_, session) => selectModel(target, session, seed)).join('');
  expect(select(1)).toBe(select(1));
  expect(select(1)).not.toBe(select(2));
  expect(select(1).replaceAll('b', '').length).toBeGreaterThan(30);
  expect(select(1).replaceAll('a', '').length).toBeGreaterThan(30);
});

test.each([
  [true, undefined, '/generate_stream'],
  [false, undefined, '/generate'],
  [true, '/mine', '/mine'],
])('an API can have another path for streams: streaming %s, path %s', (streaming, path, expected) => {
  const options = { ...target, streaming, urls: ['http://h'], ...(path === undefined ? {} : { path }) };
  expect(parseAddresses(options, ENDPOINTS.huggingface_generate)[0]?.path).toBe(expected);
});

test('sends the headers that the API requires, unless they are replaced', () => {
  const build = (headers: Record<string, string>) =>
    buildHeaders({ ...target, urls: [], headers }, ENDPOINTS.messages).join(' ');
  expect(build({})).toContain('anthropic-version 2023-06-01');
  expect(build({ 'Anthropic-Version': '2030-01-01' })).toContain('Anthropic-Version 2030-01-01');
  expect(build({ 'Anthropic-Version': '2030-01-01' })).not.toContain('2023');
});

test.each([
  ['chat', 'max_completion_tokens'],
  ['completions', 'max_tokens'],
  ['responses', 'max_output_tokens'],
  ['messages', 'max_tokens'],
] as const)('additional fields can replace the output length of %s', (name, field) => {
  const build = (extraInputs: Record<string, unknown>) =>
    buildBody(ENDPOINTS[name], { ...target, urls: [], extraInputs }, 'm', [{ role: 'user', content: 'a' }], {
      maxTokens: 7,
    });
  expect(build({}).requestedOutput).toBe(7);
  expect(build({ [field]: 5, seed: 1 }).requestedOutput).toBe(5);
  expect(JSON.parse(build({ [field]: 5, seed: 1 }).bytes.toString())).toMatchObject({ [field]: 5, seed: 1 });
});

test('additional fields are parameters if the API has them in a separate object', () => {
  const { bytes, requestedOutput } = buildBody(
    ENDPOINTS.huggingface_generate,
    { ...target, urls: [], extraInputs: { max_new_tokens: 3, top_k: 1 } },
    'm',
    [{ role: 'user', content: 'a' }],
    { maxTokens: 7 },
  );
  expect(requestedOutput).toBe(3);
  expect(JSON.parse(bytes.toString())).toEqual({ inputs: 'a', parameters: { max_new_tokens: 3, top_k: 1 } });
});

describe('the body of a recorded turn', () => {
  const build = (turn: Parameters<typeof buildBody>[4], name: EndpointName = 'chat') =>
    JSON.parse(
      buildBody(
        ENDPOINTS[name],
        { ...target, urls: [], extraInputs: { seed: 1, top_k: 1 } },
        'm',
        [
          { role: 'system', content: 's' },
          { role: 'user', content: 'a' },
        ],
        turn,
      ).bytes.toString(),
    ) as Record<string, unknown>;

  test('is a recorded request body unchanged', () => {
    const payload = { model: 'x', messages: [], max_tokens: 3 };
    expect(build({ payload, maxTokens: 9, extra: { n: 1 } })).toEqual(payload);
  });

  test('reports the output length that a recorded request body requests', () => {
    const { requestedOutput } = buildBody(ENDPOINTS.chat, { ...target, urls: [] }, 'm', [], {
      payload: { max_tokens: 3 },
    });
    expect(requestedOutput).toBe(3);
  });

  test('contains recorded messages instead of the text', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'b' }] }];
    expect(build({ messages }).messages).toEqual([{ role: 'system', content: 's' }, ...messages]);
    expect(build({ messages }, 'completions').prompt).toBe('s\na');
  });

  test('contains additional fields, which override the fields of all turns', () => {
    expect(build({ extra: { seed: 2 } })).toMatchObject({ seed: 2, top_k: 1 });
  });
});
