import type { Request, RequestSpec } from '../../engine/request.ts';
import { parseChatParameters, parseCompletionParameters } from '../completionParameters.ts';
import type { Generation, StreamFormat, TextApi } from './textApi.ts';

/** Differences between the two completion APIs of OpenAI. */
interface Format {
  readonly object: string;
  readonly chunk: string;
  formatMessage(text: string): object;
  /** Formats the text of a chunk; `text` is a JSON string literal. */
  formatDelta(text: string): string;
  /** The change in the first chunk, if that chunk has no token. */
  readonly firstDelta?: string;
}

/** OpenAI's chat completions API. */
export const CHAT: TextApi = createApi('chat_completions', 'chatcmpl-', parseChatParameters, {
  object: 'chat.completion',
  chunk: 'chat.completion.chunk',
  formatMessage: text => ({ message: { role: 'assistant', content: text } }),
  formatDelta: text => `"delta":{"content":${text}}`,
  firstDelta: '"delta":{"role":"assistant","content":""}',
});

/** OpenAI's completions API. */
export const COMPLETIONS: TextApi = createApi('completions', 'cmpl-', parseCompletionParameters, {
  object: 'text_completion',
  chunk: 'text_completion',
  formatMessage: text => ({ text }),
  formatDelta: text => `"text":${text}`,
});

function createApi(
  endpoint: TextApi['endpoint'],
  idPrefix: string,
  parse: TextApi['parse'],
  format: Format,
): TextApi {
  return {
    endpoint,
    idPrefix,
    parse,
    formatResponse({ id, created, parameters: { model }, spec }, request, text) {
      const choice = {
        index: 0,
        ...format.formatMessage(text),
        logprobs: null,
        finish_reason: request.finishReason,
      };
      return { id, object: format.object, created, model, choices: [choice], usage: toUsage(spec, request) };
    },
    createStream: generation => createStream(generation, format),
  };
}

function createStream({ id, created, parameters, spec }: Generation, format: Format): StreamFormat {
  const { formatDelta, chunk, firstDelta } = format;
  const model = JSON.stringify(parameters.model);
  const head = `data: {"id":"${id}","object":"${chunk}","created":${created},"model":${model},"choices":[`;
  const usageTail = parameters.includeUsage ? ',"usage":null' : '';
  const formatChunk = (change: string, finishReason: string): string =>
    `${head}{"index":0,${change},"logprobs":null,"finish_reason":${finishReason}}]${usageTail}}\n\n`;
  return {
    formatStart: () => (firstDelta === undefined ? '' : formatChunk(firstDelta, 'null')),
    formatToken: text => formatChunk(formatDelta(JSON.stringify(text)), 'null'),
    formatEnd: request => {
      const end = formatChunk(formatDelta('""'), JSON.stringify(request.finishReason));
      const usage = parameters.includeUsage
        ? `${head}],"usage":${JSON.stringify(toUsage(spec, request))}}\n\n`
        : '';
      return `${end}${usage}data: [DONE]\n\n`;
    },
  };
}

function toUsage(spec: RequestSpec, request: Request): object {
  return {
    prompt_tokens: spec.promptTokens,
    total_tokens: spec.promptTokens + request.generated,
    completion_tokens: request.generated,
    prompt_tokens_details: { cached_tokens: request.cachedTokens },
  };
}
