import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiEndpoint, Request, RequestSpec } from '../engine/request.ts';
import { hash, Random } from '../random.ts';
import { drawOutput } from '../traffic.ts';
import type { Live } from './live.ts';
import { Outbox } from './outbox.ts';
import { type CompletionParameters, chatParameters, completionParameters } from './parameters.ts';
import { ApiError, readObject, replyJson } from './reply.ts';
import { answerText, tokenText } from './tokens.ts';

type Api = Extract<ApiEndpoint, 'chat_completions' | 'completions'>;

/** How the two APIs word the same things. */
interface Wording {
  readonly object: string;
  readonly chunk: string;
  readonly idPrefix: string;
  message(text: string): object;
  /** JSON of what a chunk adds, the text given as JSON. */
  delta(text: string): string;
}

const wordings: Readonly<Record<Api, Wording>> = {
  chat_completions: {
    object: 'chat.completion',
    chunk: 'chat.completion.chunk',
    idPrefix: 'chatcmpl-',
    message: text => ({ message: { role: 'assistant', content: text } }),
    delta: text => `"delta":{"content":${text}}`,
  },
  completions: {
    object: 'text_completion',
    chunk: 'text_completion',
    idPrefix: 'cmpl-',
    message: text => ({ text }),
    delta: text => `"text":${text}`,
  },
};

/** One request and what its answer needs. */
interface Exchange {
  readonly api: Api;
  readonly parameters: CompletionParameters;
  readonly spec: RequestSpec;
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly salt: number;
}

/** Answers the completion APIs: the tokens come when the model has them. */
export class CompletionApi {
  readonly #live: Live;
  readonly #outbox: Outbox;
  readonly #random: Random;
  #count = 0;

  constructor(live: Live) {
    this.#live = live;
    this.#outbox = new Outbox(live.arrivals);
    this.#random = new Random(live.simulation.options.seed).fork('answers');
  }

  /** Answers one request, which had arrived at `receivedNs`. Throws ApiError for what is not allowed. */
  async answer(
    api: Api,
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    const body = await readObject(request);
    const parameters = api === 'chat_completions' ? chatParameters(body) : completionParameters(body);
    checkModel(parameters.model, this.#live.simulation.options.model);
    const exchange = this.#exchange(api, parameters);
    // The client may be gone by the time its request has been read; then nothing would tell of it any more.
    if (response.destroyed) return;
    const submitted = parameters.stream ? this.#stream(exchange, response) : this.#reply(exchange, response);
    submitted.delivery.receivedNs = receivedNs;
    submitted.delivery.clientId = request.headers['x-request-id']?.toString();
    response.once('close', () => {
      if (!response.writableFinished) this.#live.abort(submitted);
    });
  }

  #exchange(api: Api, parameters: CompletionParameters): Exchange {
    this.#count += 1;
    const salt = hash(`${this.#count} ${parameters.prefix.id}`, this.#live.simulation.options.seed);
    return {
      api,
      parameters,
      spec: this.#spec(api, parameters),
      id: `${wordings[api].idPrefix}${salt.toString(16).padStart(8, '0')}${this.#count.toString(16).padStart(8, '0')}`,
      created: Math.floor(Date.now() / 1000),
      salt,
    };
  }

  #spec(
    api: Api,
    { promptTokens, prefix, maxTokens, minTokens, ignoreEos, stream }: CompletionParameters,
  ): RequestSpec {
    const { workload, maxModelLen } = this.#live.simulation.options;
    const room = maxModelLen - promptTokens;
    const limit = maxTokens ?? room;
    if (room < 1 || limit > room) {
      throw new ApiError(
        400,
        `the context holds ${maxModelLen} tokens; the prompt has ${promptTokens} and max_tokens is ${limit}`,
        'max_tokens',
      );
    }
    const wanted = ignoreEos ? limit : Math.max(minTokens, drawOutput(workload, limit, this.#random));
    const outputTokens = Math.min(limit, wanted);
    return {
      promptTokens,
      outputTokens,
      finishReason: outputTokens === limit ? 'length' : 'stop',
      ...(maxTokens !== undefined && { maxTokens }),
      prefix,
      api: { endpoint: api, stream },
    };
  }

  #reply(exchange: Exchange, response: ServerResponse): Request {
    const { api, parameters, spec, id, created, salt } = exchange;
    const finished = (request: Request): void => {
      if (request.finishReason === 'abort') return;
      const { message, object } = wordings[api];
      const choice = {
        index: 0,
        ...message(answerText(request.generated, salt)),
        logprobs: null,
        finish_reason: request.finishReason,
      };
      const whole = {
        id,
        object,
        created,
        model: parameters.model,
        choices: [choice],
        usage: usage(spec, request),
      };
      this.#outbox.add(response, () => replyJson(response, 200, whole));
    };
    return this.#live.submit(spec, { finished });
  }

  #stream(exchange: Exchange, response: ServerResponse): Request {
    const { api, parameters, spec, id, created, salt } = exchange;
    const { delta, chunk } = wordings[api];
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
      write(delta(JSON.stringify(tokenText(index, salt))), 'null');
      const { delivery } = submitted;
      delivery.lastWrittenNs = this.#live.presentNs;
      if (index === 0) delivery.firstWrittenNs = delivery.lastWrittenNs;
      // Here, and not at some later time, the system gets it.
      response.uncork();
    };
    const writeEnd = (request: Request): void => {
      write(delta('""'), JSON.stringify(request.finishReason));
      if (parameters.includeUsage)
        response.write(`${head}],"usage":${JSON.stringify(usage(spec, request))}}\n\n`);
      response.end('data: [DONE]\n\n');
    };
    const submitted = this.#live.submit(spec, {
      token: index => this.#outbox.add(response, () => writeToken(index)),
      finished: request => {
        if (request.finishReason !== 'abort') this.#outbox.add(response, () => writeEnd(request));
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

/** Throws ApiError when a request asks for a model that is not served. */
export function checkModel(asked: string, served: string): void {
  if (asked !== served) {
    throw new ApiError(404, `model "${asked}" does not exist; "${served}" is served`, 'model');
  }
}

function usage(spec: RequestSpec, request: Request): object {
  return {
    prompt_tokens: spec.promptTokens,
    total_tokens: spec.promptTokens + request.generated,
    completion_tokens: request.generated,
    prompt_tokens_details: { cached_tokens: request.cachedTokens },
  };
}
