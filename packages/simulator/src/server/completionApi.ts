import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashText, Random } from '@org/core';
import type { Request, RequestSpec } from '../engine/request.ts';
import { drawOutput } from '../traffic/workload.ts';
import type { CompletionParameters } from './completionParameters.ts';
import { ApiError, readJsonObject, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';
import { TaskQueue } from './taskQueue.ts';
import type { Generation, TextApi } from './textApis/textApi.ts';
import { createResponseText, getTokenText } from './tokenizer.ts';

/** Serves the APIs that generate text. Each token is sent when the engine has generated it. */
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
    api: TextApi,
    request: IncomingMessage,
    response: ServerResponse,
    receivedNs: number,
  ): Promise<void> {
    const body = await readJsonObject(request);
    const parameters = api.parse(body);
    if (parameters.model !== undefined) checkModel(parameters.model, this.#live.simulation.options.model);
    const generation = this.#createGeneration(api, parameters);
    // If the client has already disconnected, there will be no 'close' event to abort the request.
    if (response.destroyed) return;
    const submitted = parameters.stream
      ? this.#submitStream(api, generation, response)
      : this.#submitPlain(api, generation, response);
    submitted.delivery.receivedNs = receivedNs;
    submitted.delivery.clientId = request.headers['x-request-id']?.toString();
    response.once('close', () => {
      if (!response.writableFinished) this.#live.abort(submitted);
    });
  }

  #createGeneration(api: TextApi, parameters: CompletionParameters): Generation {
    this.#requestCount += 1;
    const salt = hashText(
      `${this.#requestCount} ${parameters.prefix.id}`,
      this.#live.simulation.options.seed,
    );
    return {
      parameters,
      spec: this.#createSpec(api, parameters),
      id: `${api.idPrefix}${salt.toString(16).padStart(8, '0')}${this.#requestCount.toString(16).padStart(8, '0')}`,
      created: Math.floor(Date.now() / 1000),
      salt,
    };
  }

  #createSpec(
    { endpoint }: TextApi,
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
      api: { endpoint, stream },
    };
  }

  #submitPlain(api: TextApi, generation: Generation, response: ServerResponse): Request {
    const onFinished = (request: Request): void => {
      if (request.finishReason === 'abort') return;
      const text = createResponseText(request.generated, generation.salt);
      const body = api.formatResponse(generation, request, text);
      this.#writeQueue.add(response, () => sendJson(response, 200, body));
    };
    return this.#live.submit(generation.spec, { onFinished });
  }

  #submitStream(api: TextApi, generation: Generation, response: ServerResponse): Request {
    const stream = api.createStream(generation);
    const writeToken = (index: number): void => {
      response.cork();
      const start = index === 0 ? stream.formatStart(submitted) : '';
      response.write(start + stream.formatToken(getTokenText(index, generation.salt), index));
      const { delivery } = submitted;
      delivery.lastWrittenNs = this.#live.realTimeNs;
      if (index === 0) delivery.firstWrittenNs = delivery.lastWrittenNs;
      // Pass the chunk to the operating system now.
      response.uncork();
    };
    const submitted = this.#live.submit(generation.spec, {
      onToken: index => this.#writeQueue.add(response, () => writeToken(index)),
      onFinished: request => {
        if (request.finishReason === 'abort') return;
        this.#writeQueue.add(response, () => void response.end(stream.formatEnd(request)));
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
