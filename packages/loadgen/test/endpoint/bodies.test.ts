import { expect, test } from 'vitest';
import type { Contents } from '../../src/endpoint/contents.ts';
import type { EndpointName } from '../../src/endpoint/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';

const IMAGE = 'data:image/jpeg;base64,/9j/4AAQ';
const AUDIO = 'wav,UklGRg==';
const chatParts = [
  { type: 'text', text: 'one' },
  { type: 'image_url', image_url: { url: IMAGE } },
];

/** A body that AIPerf 0.13.0 sent to a server that recorded it, with the texts and the media replaced. */
interface Case {
  readonly endpoint: EndpointName;
  readonly contents?: Contents;
  readonly stream?: true;
  readonly chunkUsage?: true;
  readonly requiresUsage?: true;
  readonly maxTokens?: number;
  readonly path: string;
  readonly body: object;
}

const CASES: readonly Case[] = [
  {
    endpoint: 'embeddings',
    contents: { texts: ['one', 'two', 'three'] },
    path: '/v1/embeddings',
    body: { model: 'm', input: ['one', 'two', 'three'] },
  },
  {
    endpoint: 'nim_embeddings',
    contents: { images: [IMAGE] },
    path: '/v1/embeddings',
    body: { model: 'm', input: [`one ${IMAGE}`] },
  },
  {
    endpoint: 'chat_embeddings',
    contents: { images: [IMAGE] },
    path: '/v1/embeddings',
    body: { messages: [{ role: 'user', content: chatParts }], model: 'm', stream: false },
  },
  {
    endpoint: 'nim_rankings',
    contents: { passages: ['a', 'b'] },
    path: '/v1/ranking',
    body: { model: 'm', query: { text: 'one' }, passages: [{ text: 'a' }, { text: 'b' }] },
  },
  {
    endpoint: 'cohere_rankings',
    contents: { passages: ['a', 'b'] },
    path: '/v2/rerank',
    body: { model: 'm', query: 'one', documents: ['a', 'b'] },
  },
  {
    endpoint: 'hf_tei_rankings',
    contents: { passages: ['a', 'b'] },
    path: '/rerank',
    body: { query: 'one', texts: ['a', 'b'] },
  },
  {
    endpoint: 'chat',
    contents: { images: [IMAGE, IMAGE], audios: [AUDIO] },
    stream: true,
    maxTokens: 5,
    path: '/v1/chat/completions',
    body: {
      messages: [
        {
          role: 'user',
          content: [
            ...chatParts,
            chatParts[1],
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          ],
        },
      ],
      model: 'm',
      stream: true,
      max_completion_tokens: 5,
      stream_options: { include_usage: true },
    },
  },
  {
    endpoint: 'chat',
    contents: { texts: ['one', 'two'] },
    stream: true,
    chunkUsage: true,
    path: '/v1/chat/completions',
    body: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
      model: 'm',
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    },
  },
  {
    endpoint: 'completions',
    contents: { texts: ['one', 'two'] },
    path: '/v1/completions',
    body: { prompt: ['one', 'two'], model: 'm', stream: false },
  },
  {
    endpoint: 'responses',
    stream: true,
    requiresUsage: true,
    path: '/v1/responses',
    body: {
      input: [{ role: 'user', content: 'one', type: 'message' }],
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
    },
  },
  {
    endpoint: 'responses',
    contents: { images: [IMAGE], audios: [AUDIO] },
    path: '/v1/responses',
    body: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'one' },
            { type: 'input_image', image_url: IMAGE },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          ],
          type: 'message',
        },
      ],
      model: 'm',
      stream: false,
    },
  },
  {
    endpoint: 'messages',
    contents: { images: [IMAGE] },
    path: '/v1/messages',
    body: {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AAQ' } },
          ],
        },
      ],
      max_tokens: 1024,
    },
  },
  {
    endpoint: 'solido_rag',
    contents: { texts: ['one', 'two'] },
    path: '/rag/api/prompt',
    body: { query: ['one', 'two'], filters: { family: 'Solido', tool: 'SDE' }, inference_model: 'm' },
  },
  {
    endpoint: 'image_generation',
    path: '/v1/images/generations',
    body: { prompt: 'one', model: 'm', response_format: 'b64_json', n: 1 },
  },
  {
    endpoint: 'image_edit',
    contents: { images: [IMAGE] },
    path: '/v1/images/edits',
    body: {
      prompt: 'one',
      model: 'm',
      response_format: 'b64_json',
      n: 1,
      image: { b64_data: '/9j/4AAQ', filename: 'image.jpg', content_type: 'image/jpeg' },
    },
  },
  {
    endpoint: 'image_retrieval',
    contents: { images: [IMAGE] },
    path: '/v1/infer',
    body: { input: [{ type: 'image_url', url: IMAGE }] },
  },
  {
    endpoint: 'audio_transcription',
    contents: { audios: [AUDIO] },
    path: '/v1/audio/transcriptions',
    body: { file: { b64_data: 'UklGRg==', filename: 'audio.wav', content_type: 'audio/wav' }, model: 'm' },
  },
];

test.each(CASES)('$endpoint: the body is the body of AIPerf (case %#)', testCase => {
  const {
    endpoint,
    contents,
    stream = false,
    chunkUsage = false,
    requiresUsage,
    maxTokens,
    path,
    body,
  } = testCase;
  const api = ENDPOINTS[endpoint];
  const built = api.buildBody({
    model: 'm',
    messages: [{ role: 'user', content: 'one', ...(contents && { contents }) }],
    maxTokens,
    stream,
    usage: true,
    legacyMaxTokens: false,
    chunkUsage,
    ...(requiresUsage && { requiresUsage }),
  });
  // The order of the fields is also the same.
  expect(JSON.stringify(built)).toBe(JSON.stringify(body));
  expect(api.path).toBe(path);
});

test('an image that is not inline is sent as its URL', () => {
  const params = { model: 'm', maxTokens: undefined, stream: false, usage: true, legacyMaxTokens: false };
  const messages = [{ role: 'user', content: 'one', contents: { images: ['https://h/a.png'] } }];
  expect(ENDPOINTS.image_edit.buildBody({ ...params, messages })).toMatchObject({ url: 'https://h/a.png' });
  expect(ENDPOINTS.messages.buildBody({ ...params, messages })).toMatchObject({
    messages: [{ content: [{}, { source: { type: 'url', url: 'https://h/a.png' } }] }],
  });
});
