import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashText, Random } from '@org/core';
import type { Request } from '../engine/request.ts';
import { checkModel } from './completionApi.ts';
import { parseModelName } from './completionParameters.ts';
import { ApiError, readJsonObject, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';
import { countTokens } from './tokenizer.ts';

const EMBEDDING_DIMENSIONS = 64;

/**
 * Handles POST /v1/embeddings. Each input is one request to the engine; its embedding is a unit vector that
 * depends only on the text. Throws ApiError for invalid requests.
 */
export async function handleEmbeddings(
  live: LiveSimulation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJsonObject(request);
  const model = parseModelName(body);
  checkModel(model, live.simulation.options.model);
  const inputs = parseInputs(body.input);
  const isBase64 = body.encoding_format === 'base64';
  const lengths = inputs.map(text => Math.max(1, countTokens(text)));
  const longest = Math.max(...lengths);
  if (longest > live.simulation.options.maxModelLen) {
    throw new ApiError(
      400,
      `an input has ${longest} tokens; the maximum is ${live.simulation.options.maxModelLen}`,
      'input',
    );
  }
  const total = lengths.reduce((sum, tokens) => sum + tokens, 0);
  await waitForEngine(live, lengths, response);
  if (response.destroyed) return;
  sendJson(response, 200, {
    object: 'list',
    data: inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encodeVector(createVector(text), isBase64),
    })),
    model,
    usage: { prompt_tokens: total, total_tokens: total },
  });
}

/** Resolves when the engine has processed all inputs, or the client has disconnected. */
function waitForEngine(
  live: LiveSimulation,
  lengths: readonly number[],
  response: ServerResponse,
): Promise<void> {
  return new Promise(resolve => {
    let pendingInputs = lengths.length;
    const onFinished = (): void => {
      pendingInputs -= 1;
      if (pendingInputs === 0) resolve();
    };
    const submitted: Request[] = lengths.map(promptTokens => {
      const api = { endpoint: 'embeddings', stream: false } as const;
      return live.submit({ promptTokens, outputTokens: 0, finishReason: 'stop', api }, { onFinished });
    });
    response.once('close', () => {
      if (pendingInputs > 0) for (const embedding of submitted) live.abort(embedding);
    });
  });
}

function parseInputs(input: unknown): readonly string[] {
  const list = Array.isArray(input) ? input : [input];
  if (list.length === 0 || !list.every(text => typeof text === 'string' && text !== '')) {
    throw new ApiError(400, 'input must be a non-empty string or a list of non-empty strings', 'input');
  }
  return list as string[];
}

function createVector(text: string): Float32Array {
  const random = new Random(hashText(text));
  const values = Float32Array.from({ length: EMBEDDING_DIMENSIONS }, () => random.normal());
  const length = Math.hypot(...values);
  return values.map(value => value / length);
}

function encodeVector(values: Float32Array, isBase64: boolean): string | number[] {
  return isBase64 ? Buffer.from(values.buffer).toString('base64') : [...values];
}
