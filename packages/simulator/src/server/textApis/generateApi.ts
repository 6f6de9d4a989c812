import type { RequestSpec } from '../../engine/request.ts';
import { parseGenerateParameters } from '../completionParameters.ts';
import { createResponseText } from '../tokenizer.ts';
import { formatEvent, type Generation, type StreamFormat, type TextApi } from './textApi.ts';

/** `POST /generate` of Text Generation Inference. */
export const GENERATE: TextApi = createApi(false);

/** `POST /generate_stream` of Text Generation Inference. */
export const GENERATE_STREAM: TextApi = createApi(true);

function createApi(stream: boolean): TextApi {
  return {
    endpoint: 'generate',
    idPrefix: 'generate-',
    parse: body => ({ ...parseGenerateParameters(body), stream }),
    formatResponse: ({ parameters, spec }, request, text) => ({
      generated_text: text,
      ...(parameters.includeUsage ? { details: describeEnd(spec, request.generated) } : {}),
    }),
    createStream,
  };
}

function describeEnd({ finishReason, promptTokens }: RequestSpec, generated: number): object {
  return {
    finish_reason: finishReason === 'length' ? 'length' : 'eos_token',
    generated_tokens: generated,
    input_length: promptTokens,
  };
}

/** The event of the last token repeats the text; no event follows it. */
function createStream({ spec, salt }: Generation): StreamFormat {
  return {
    formatStart: () => '',
    formatToken: (text, index) => {
      const isLast = index === spec.outputTokens - 1;
      return formatEvent({
        index: index + 1,
        token: { id: index, text, logprob: 0, special: false },
        generated_text: isLast ? createResponseText(spec.outputTokens, salt) : null,
        details: isLast ? describeEnd(spec, spec.outputTokens) : null,
      });
    },
    formatEnd: () => '',
  };
}
