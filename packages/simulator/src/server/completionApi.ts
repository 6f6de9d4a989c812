import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashText, Random } from '@org/core';
import type { ApiEndpoint, Request, RequestSpec } from '../engine/request.ts';
import { drawOutput } from '../traffic/workload.ts';
import {
  type CompletionParameters,
  parseChatParameters,
  parseCompletionParameters,
} from './completionParameters.ts';
import { ApiError, readJsonObject, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';
import { TaskQueue } from './taskQueue.ts';
import { createResponseText, getTokenText } from './tokenizer.ts';

type Api = Extract<ApiEndpoint, 'chat_completions' | 'completions'>;

/** Differences between the response formats of the two APIs. */
interface ApiFormat {
  readonly object: string;
  readonly chunk: string;
  readonly idPrefix: string;
  formatMessage(text: string): object;
  /** Formats the text of a chunk; `text` is a JSON string literal. */
  formatDelta(text: string): string;
}

const API_FORMATS: Readonly<Record<Api, ApiFormat>> = {
  chat_completions: {
    object: 'chat.completion',
    chunk: 'chat.completion.chunk',
    idPrefix: 'chatcmpl-',
    formatMessage: text => ({ message: { role: 'assistant', content: text } }),
    formatDelta: text => `"delta":{"content":${text}}`,
  },
  completions: {
    object: 'text_completion',
    chunk: 'text_completion',
    idPrefix: 'cmpl-',
    formatMessage: text => ({ text }),
    formatDelta: text => `"text":${text}`,
  },
};

/** One request and the constant fields of its response. */
interface Exchange {
  readonly api: Api;
  readonly parameters: CompletionParameters;
  readonly spec: RequestSpec;
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** Determines the generated text. */
  readonly salt: number;
}

/** Serves the completion APIs. Each token is sent when the engine has generated it. */
export class CompletionApi {
  readonly #live: LiveSimulation;
  readonly #writeQueue = new TaskQueue();
  readonly #random: Random;
  #requestCount = 0;

  constructor(live: LiveSimulation) {
    this.#live = live;
    this.#random = new Random(live.simulation.options.seed).fork('answers');
  }

  /** Handles a request that arrived at `receivedNs`, in ns since the start. Throws ApiError for invalid requests. */
  async handle(
    api: Api,
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    const body = await readJsonObject(request);
    const parameters =
      api === 'chat_completions' ? parseChatParameters(body) : parseCompletionParameters(body);
    checkModel(parameters.model, this.#live.simulation.options.model);
    const exchange = this.#createExchange(api, parameters);
    // If the client has already disconnected, there will be no 'close' event to abort the request.
    if (response.destroyed) return;
    const submitted = parameters.stream
      ? this.#submitStream(exchange, response)
      : this.#submitPlain(exchange, response);
    submitted.delivery.receivedNs = receivedNs;
    submitted.delivery.clientId = request.headers['x-request-id']?.toString();
    response.once('close', () => {
      if (!response.writableFinished) this.#live.abort(submitted);
    });
  }

  #createExchange(api: Api, parameters: CompletionParameters): Exchange {
    this.#requestCount += 1;
    const salt = hashText(
      `${this.#requestCount} ${parameters.prefix.id}`,
      this.#live.simulation.options.seed,
    );
    return {
      api,
      parameters,
      spec: this.#createSpec(api, parameters),
      id: `${API_FORMATS[api].idPrefix}${salt.toString(16).padStart(8, '0')}${this.#requestCount.toString(16).padStart(8, '0')}`,
      created: Math.floor(Date.now() / 1000),
      salt,
    };
  }

  #createSpec(
    api: Api,
    { promptTokens, prefix, maxTokens, minTokens, ignoreEos, stream }: CompletionParameters,
  ): RequestSpec {
    const { workload, maxModelLen } = this.#live.simulation.options;
    const maxTokensLeft = maxModelLen - promptTokens;
    const limit = maxTokens ?? maxTokensLeft;
    if (maxTokensLeft < 1 || limit > maxTokensLeft) {
      throw new ApiError(
        400,
        `the context length is ${maxModelLen} tokens; the prompt has ${promptTokens} and max_tokens is ${limit}`,
        'max_tokens',
      );
    }
    const length = ignoreEos ? limit : Math.max(minTokens, drawOutput(workload, limit, this.#random));
    const outputTokens = Math.min(limit, length);
    return {
      promptTokens,
      outputTokens,
      finishReason: outputTokens === limit ? 'length' : 'stop',
      ...(maxTokens !== undefined && { maxTokens }),
      prefix,
      api: { endpoint: api, stream },
    };
  }

  #submitPlain(exchange: Exchange, response: ServerResponse): Request {
    const { api, parameters, spec, id, created, salt } = exchange;
    const onFinished = (request: Request): void => {
      if (request.finishReason === 'abort') return;
      const { formatMessage, object } = API_FORMATS[api];
      const choice = {
        index: 0,
        ...formatMessage(createResponseText(request.generated, salt)),
        logprobs: null,
        finish_reason: request.finishReason,
      };
      const completion = {
        id,
        object,
        created,
        model: parameters.model,
        choices: [choice],
        usage: toUsage(spec, request),
      };
      this.#writeQueue.add(response, () => sendJson(response, 200, completion));
    };
    return this.#live.submit(spec, { onFinished });
  }

  #submitStream(exchange: Exchange, response: ServerResponse): Request {
    const { api, parameters, spec, id, created, salt } = exchange;
    const { formatDelta, chunk } = API_FORMATS[api];
    const model = JSON.stringify(parameters.model);
    const head = `data: {"id":"${id}","object":"${chunk}","created":${created},"model":${model},"choices":[`;
    const usageTail = parameters.includeUsage ? ',"usage":null' : '';
    const write = (change: string, finishReason: string): void => {
      response.write(
        `${head}{"index":0,${change},"logprobs":null,"finish_reason":${finishReason}}]${usageTail}}\n\n`,
      );
    };
    const writeToken = (index: number): void => {
      response.cork();
      if (index === 0 && api === 'chat_completions')
        write('"delta":{"role":"assistant","content":""}', 'null');
      write(formatDelta(JSON.stringify(getTokenText(index, salt))), 'null');
      const { delivery } = submitted;
      delivery.lastWrittenNs = this.#live.realTimeNs;
      if (index === 0) delivery.firstWrittenNs = delivery.lastWrittenNs;
      // Pass the chunk to the operating system now.
      response.uncork();
    };
    const writeEnd = (request: Request): void => {
      write(formatDelta('""'), JSON.stringify(request.finishReason));
      if (parameters.includeUsage)
        response.write(`${head}],"usage":${JSON.stringify(toUsage(spec, request))}}\n\n`);
      response.end('data: [DONE]\n\n');
    };
    const submitted = this.#live.submit(spec, {
      onToken: index => this.#writeQueue.add(response, () => writeToken(index)),
      onFinished: request => {
        if (request.finishReason !== 'abort') this.#writeQueue.add(response, () => writeEnd(request));
      },
    });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    response.flushHeaders();
    return submitted;
  }
}

/** Throws ApiError (404) if a request names a model that is not served. */
export function checkModel(requested: string, served: string): void {
  if (requested !== served) {
    throw new ApiError(404, `model "${requested}" does not exist; the served model is "${served}"`, 'model');
  }
}

function toUsage(spec: RequestSpec, request: Request): object {
  return {
    prompt_tokens: spec.promptTokens,
    total_tokens: spec.promptTokens + request.generated,
    completion_tokens: request.generated,
    prompt_tokens_details: { cached_tokens: request.cachedTokens },
  };
}
