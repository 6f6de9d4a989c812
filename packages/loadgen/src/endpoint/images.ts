import { listMessageTexts } from './contentParts.ts';
import { parseAudio, parseDataUrl } from './contents.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createFilePart } from './multipart.ts';
import { createDelta, toFields, toText } from './responseFields.ts';

/** OpenAI's API for generating images. Only the last message is sent. */
export const imageGeneration: Endpoint = {
  name: 'image_generation',
  path: '/v1/images/generations',
  canStream: true,
  generatesText: false,
  sendsHistory: false,
  promptFields: ['prompt'],
  limitFields: [],
  buildBody({ model, messages, stream }: RequestParams) {
    const [prompt = ''] = listMessageTexts(messages.slice(-1));
    return { prompt, model, response_format: 'b64_json', n: 1, ...(stream ? { stream } : {}) };
  },
  parseChunk: countImages,
  parseResponse: countImages,
};

/** OpenAI's API for editing an image, which is uploaded as a form. */
export const imageEdit: Endpoint = {
  ...imageGeneration,
  name: 'image_edit',
  path: '/v1/images/edits',
  canStream: false,
  isForm: true,
  media: ['images'],
  requiredMedia: 'images',
  promptFields: ['prompt', 'image', 'url', 'mask'],
  buildBody(params: RequestParams) {
    const fields = imageGeneration.buildBody({ ...params, stream: false });
    const image = params.messages.at(-1)?.contents?.images?.[0] ?? '';
    const inline = parseDataUrl(image);
    if (inline === undefined) return { ...fields, url: image };
    const extension = inline.mediaType.replace('image/', '').replace('jpeg', 'jpg');
    return { ...fields, image: createFilePart(inline.data, `image.${extension}`, inline.mediaType) };
  },
};

/** The API of NVIDIA NIM for finding objects in images. */
export const imageRetrieval: Endpoint = {
  name: 'image_retrieval',
  path: '/v1/infer',
  canStream: false,
  generatesText: false,
  sendsHistory: false,
  countsInput: false,
  media: ['images'],
  requiredMedia: 'images',
  promptFields: ['input'],
  limitFields: [],
  buildBody({ messages }: RequestParams) {
    const images = messages.at(-1)?.contents?.images ?? [];
    return { input: images.map(url => ({ type: 'image_url', url })) };
  },
  parseChunk: countImages,
  parseResponse: countImages,
};

/** OpenAI's API for transcribing an audio clip, which is uploaded as a form. */
export const audioTranscription: Endpoint = {
  name: 'audio_transcription',
  path: '/v1/audio/transcriptions',
  canStream: false,
  generatesText: false,
  sendsHistory: false,
  countsInput: false,
  isForm: true,
  acceptsPlainText: true,
  media: ['audios'],
  requiredMedia: 'audios',
  promptFields: ['file'],
  limitFields: [],
  buildBody({ model, messages }: RequestParams) {
    const { format, data } = parseAudio(messages.at(-1)?.contents?.audios?.[0] ?? '');
    const mediaType = AUDIO_TYPES[format] ?? `audio/${format}`;
    return { file: createFilePart(data, `audio.${format}`, mediaType), model };
  },
  parseChunk: parseTranscript,
  parseResponse: parseTranscript,
};

const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4' };

function countImages(json: unknown): Delta {
  const fields = toFields(json);
  const { data, b64_json: streamed } = fields;
  const results = Array.isArray(data) ? data.length : typeof streamed === 'string' ? 1 : 0;
  return { ...createDelta(fields, '', ''), results };
}

function parseTranscript(json: unknown): Delta {
  const fields = toFields(json);
  return createDelta(fields, typeof json === 'string' ? json : toText(fields.text), '');
}
