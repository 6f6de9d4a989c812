import { formatMessages, RESPONSES_PARTS } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, type Fields, toFields, toText } from './responseFields.ts';

/**
 * OpenAI's responses API (https://platform.openai.com/docs/api-reference/responses), as implemented by vLLM. The
 * system message is sent as `instructions`.
 */
export const responses: Endpoint = {
  name: 'responses',
  path: '/v1/responses',
  canStream: true,
  endsWithReason: true,
  generatesText: true,
  sendsHistory: true,
  media: ['images', 'audios'],
  promptFields: ['input'],
  limitFields: ['max_output_tokens'],
  buildBody({ model, messages, maxTokens, stream, requiresUsage }: RequestParams) {
    const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    const items = messages.filter(({ role }) => role !== 'system');
    return {
      input: formatMessages(items, RESPONSES_PARTS).map(item => ({ ...item, type: 'message' })),
      model,
      stream,
      ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n') }),
      ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
      // As in AIPerf; servers report usage without it, too.
      ...(stream && requiresUsage ? { stream_options: { include_usage: true } } : {}),
    };
  },
  parseChunk(json: unknown): Delta {
    const event = toFields(json);
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.function_call_arguments.delta':
        return createDelta({}, toText(event.delta), '');
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return createDelta({}, '', toText(event.delta));
      case 'response.created':
        return readState(event, undefined);
      case 'response.completed':
        return readState(event, 'stop');
      case 'response.incomplete':
        return readState(event, 'length');
      case 'response.failed':
        return readState(event, 'error');
      default:
        // The texts of the other events repeat the deltas.
        return createDelta(event.type === 'error' ? { error: event } : {}, '', '');
    }
  },
  parseResponse(json: unknown): Delta {
    const fields = toFields(json);
    const items = Array.isArray(fields.output) ? fields.output.map(toFields) : [];
    return {
      ...createDelta(fields, items.map(readText).join(''), items.map(readReasoning).join('')),
      finishReason: fields.status === 'incomplete' ? 'length' : 'stop',
    };
  },
};

/** Reads the state of the response from an event. */
function readState({ response }: Fields, finishReason: string | undefined): Delta {
  return { ...createDelta(toFields(response), '', ''), finishReason };
}

/** Returns the text of an output item: a message, or a function call, whose name and arguments are generated too. */
function readText({ type, content, name, arguments: args }: Fields): string {
  if (type === 'function_call') return toText(name) + toText(args);
  return type === 'message' ? joinTexts(content) : '';
}

function readReasoning({ type, content, summary }: Fields): string {
  return type === 'reasoning' ? joinTexts(content) || joinTexts(summary) : '';
}

function joinTexts(parts: unknown): string {
  return Array.isArray(parts) ? parts.map(part => toText(toFields(part).text)).join('') : '';
}
