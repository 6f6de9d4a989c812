import type { Request } from '../../engine/request.ts';
import { parseMessagesParameters } from '../completionParameters.ts';
import { formatEvent, type Generation, type StreamFormat, type TextApi } from './textApi.ts';

/** Anthropic's messages API. */
export const MESSAGES: TextApi = {
  endpoint: 'messages',
  idPrefix: 'msg_',
  parse: parseMessagesParameters,
  formatResponse: (generation, request, text) => ({
    ...describeMessage(generation),
    content: [{ type: 'text', text }],
    stop_reason: getStopReason(request),
    usage: toUsage(generation, request),
  }),
  createStream,
};

function describeMessage({ id, parameters: { model } }: Generation): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function getStopReason({ finishReason }: Request): string {
  return finishReason === 'length' ? 'max_tokens' : 'end_turn';
}

/** Counts tokens as the API does: cached tokens of the prompt are not part of `input_tokens`. */
function toUsage({ spec }: Generation, { cachedTokens, generated }: Request): object {
  return {
    input_tokens: spec.promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: generated,
  };
}

function createStream(generation: Generation): StreamFormat {
  const format = (type: string, fields: object = {}): string => formatEvent({ type, ...fields }, type);
  return {
    formatStart: request => {
      const message = { ...describeMessage(generation), usage: toUsage(generation, request) };
      return (
        format('message_start', { message }) +
        format('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
      );
    },
    formatToken: text => format('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    formatEnd: request =>
      format('content_block_stop', { index: 0 }) +
      format('message_delta', {
        delta: { stop_reason: getStopReason(request), stop_sequence: null },
        usage: toUsage(generation, request),
      }) +
      format('message_stop'),
  };
}
