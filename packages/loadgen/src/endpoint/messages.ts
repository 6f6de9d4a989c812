import type { Usage } from '../response/usage.ts';
import { ANTHROPIC_PARTS, formatMessages } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, type Fields, toFields, toText } from './responseFields.ts';

/** Response length if none is requested, because the API requires one. AIPerf uses the same number. */
const DEFAULT_MAX_TOKENS = 1024;

/** Finish reasons, by their names in this API. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
};

/** Anthropic's messages API (https://docs.anthropic.com/en/api/messages), as implemented by vLLM. */
export const messages: Endpoint = {
  name: 'messages',
  path: '/v1/messages',
  canStream: true,
  endsWithReason: true,
  generatesText: true,
  sendsHistory: true,
  media: ['images'],
  promptFields: ['messages'],
  limitFields: ['max_tokens'],
  headers: { 'anthropic-version': '2023-06-01' },
  buildBody({ model, messages: all, maxTokens = DEFAULT_MAX_TOKENS, stream }: RequestParams) {
    const system = all.filter(({ role }) => role === 'system').map(({ content }) => content);
    return {
      model,
      messages: formatMessages(
        all.filter(({ role }) => role !== 'system'),
        ANTHROPIC_PARTS,
      ),
      max_tokens: maxTokens,
      ...(stream ? { stream } : {}),
      ...(system.length === 0 ? {} : { system: system.join('\n') }),
    };
  },
  parseChunk(json: unknown): Delta {
    const event = toFields(json);
    switch (event.type) {
      case 'message_start':
        return createMessageDelta(toFields(event.message), '', '');
      case 'content_block_start':
        return createDelta({}, toText(toFields(event.content_block).name), '');
      case 'content_block_delta': {
        const delta = toFields(event.delta);
        return createDelta({}, toText(delta.text) + toText(delta.partial_json), toText(delta.thinking));
      }
      case 'message_delta':
        return createMessageDelta({ ...toFields(event.delta), usage: event.usage }, '', '');
      default:
        return createDelta(event.type === 'error' ? { error: event.error } : {}, '', '');
    }
  },
  parseResponse(json: unknown): Delta {
    const fields = toFields(json);
    const blocks = Array.isArray(fields.content) ? fields.content.map(toFields) : [];
    const text = blocks.map(({ type, text: words, name, input }) =>
      type === 'tool_use' ? toText(name) + JSON.stringify(input ?? {}) : toText(words),
    );
    const thinking = blocks.map(({ thinking: words }) => toText(words));
    return createMessageDelta(fields, text.join(''), thinking.join(''));
  },
};

function createMessageDelta(fields: Fields, text: string, reasoning: string): Delta {
  const delta = createDelta(fields, text, reasoning);
  const reason = toText(fields.stop_reason);
  return {
    ...delta,
    usage: delta.usage && addCachedTokens(delta.usage),
    finishReason: reason === '' ? undefined : (FINISH_REASONS[reason] ?? reason),
  };
}

/** Adds the cached tokens of the prompt, which this API does not count as `input_tokens`. */
function addCachedTokens(usage: Usage): Usage {
  const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  if (promptTokens === undefined) return usage;
  return { ...usage, promptTokens: promptTokens + cachedTokens + cacheWriteTokens };
}
