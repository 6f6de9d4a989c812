import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashText, Random } from '@org/core';
import { checkModel } from './completionApi.ts';
import { parseModelName } from './completionParameters.ts';
import { checkLengths, processInputs } from './engineInputs.ts';
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
  checkLengths(live, lengths, 'input');
  const total = lengths.reduce((sum, tokens) => sum + tokens, 0);
  await processInputs(live, 'embeddings', lengths, response);
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
