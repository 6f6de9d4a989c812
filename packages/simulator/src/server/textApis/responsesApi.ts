import type { Request } from '../../engine/request.ts';
import { parseResponsesParameters } from '../completionParameters.ts';
import { createResponseText } from '../tokenizer.ts';
import { formatEvent, type Generation, type StreamFormat, type TextApi } from './textApi.ts';

/** OpenAI's responses API. */
export const RESPONSES: TextApi = {
  endpoint: 'responses',
  idPrefix: 'resp_',
  parse: parseResponsesParameters,
  formatResponse: describeResponse,
  createStream,
};

function describeResponse(generation: Generation, request: Request, text: string): object {
  const { spec } = generation;
  const isIncomplete = request.finishReason === 'length';
  return {
    ...describeStart(generation),
    status: isIncomplete ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete ? { reason: 'max_output_tokens' } : null,
    output: [describeMessage(generation, text)],
    usage: {
      input_tokens: spec.promptTokens,
      input_tokens_details: { cached_tokens: request.cachedTokens },
      output_tokens: request.generated,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: spec.promptTokens + request.generated,
    },
  };
}

function describeStart({ id, created, parameters }: Generation): object {
  return {
    id,
    object: 'response',
    created_at: created,
    model: parameters.model,
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  };
}

function describeMessage(generation: Generation, text: string): object {
  return {
    id: getMessageId(generation),
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [describePart(text)],
  };
}

function describePart(text: string): object {
  return { type: 'output_text', text, annotations: [] };
}

function getMessageId({ id }: Generation): string {
  return id.replace('resp_', 'msg_');
}

function createStream(generation: Generation): StreamFormat {
  let sequenceNumber = 0;
  const format = (type: string, fields: object): string => {
    const event = { type, sequence_number: sequenceNumber, ...fields };
    sequenceNumber += 1;
    return formatEvent(event, type);
  };
  const item = { item_id: getMessageId(generation), output_index: 0, content_index: 0 };
  return {
    formatStart: () =>
      format('response.created', { response: describeStart(generation) }) +
      format('response.in_progress', { response: describeStart(generation) }) +
      format('response.output_item.added', {
        output_index: 0,
        item: { ...describeMessage(generation, ''), status: 'in_progress', content: [] },
      }) +
      format('response.content_part.added', { ...item, part: describePart('') }),
    formatToken: text => format('response.output_text.delta', { ...item, delta: text, logprobs: [] }),
    formatEnd: request => {
      const text = createResponseText(request.generated, generation.salt);
      const response = describeResponse(generation, request, text);
      const last = request.finishReason === 'length' ? 'response.incomplete' : 'response.completed';
      return (
        format('response.output_text.done', { ...item, text, logprobs: [] }) +
        format('response.content_part.done', { ...item, part: describePart(text) }) +
        format('response.output_item.done', { output_index: 0, item: describeMessage(generation, text) }) +
        format(last, { response })
      );
    },
  };
}
