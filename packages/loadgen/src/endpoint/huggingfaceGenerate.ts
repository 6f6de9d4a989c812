import { listMessageTexts } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, type Fields, toFields, toText } from './responseFields.ts';

/**
 * The API of Text Generation Inference (https://huggingface.github.io/text-generation-inference). The prompt consists
 * of all messages of the conversation, joined by line breaks.
 */
export const huggingfaceGenerate: Endpoint = {
  name: 'huggingface_generate',
  path: '/generate',
  streamPath: '/generate_stream',
  canStream: true,
  generatesText: true,
  sendsHistory: true,
  promptFields: ['inputs'],
  parametersField: 'parameters',
  limitFields: ['max_new_tokens'],
  buildBody({ messages, maxTokens }: RequestParams) {
    return {
      inputs: listMessageTexts(messages).join('\n'),
      parameters: maxTokens === undefined ? {} : { max_new_tokens: maxTokens },
    };
  },
  parseChunk(json: unknown): Delta {
    const fields = toFields(json);
    const token = toFields(fields.token);
    // The last event also repeats the whole text as `generated_text`.
    return createGeneration(fields, token.special === true ? '' : toText(token.text));
  },
  parseResponse(json: unknown): Delta {
    const fields = toFields(Array.isArray(json) ? json[0] : json);
    return createGeneration(fields, toText(fields.generated_text));
  },
};

function createGeneration(fields: Fields, text: string): Delta {
  const { finish_reason: reason, generated_tokens: tokens } = toFields(fields.details);
  const usage = typeof tokens === 'number' ? { completion_tokens: tokens } : undefined;
  const delta = createDelta({ ...fields, usage }, text, '');
  return { ...delta, finishReason: toText(reason) || undefined };
}
