import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from '../engine/request.ts';
import { hash, Random } from '../random.ts';
import { checkModel } from './completion.ts';
import type { Live } from './live.ts';
import { modelName } from './parameters.ts';
import { ApiError, readObject, replyJson } from './reply.ts';
import { countTokens } from './tokens.ts';

const dimensions = 64;

/**
 * Answers POST /v1/embeddings: one engine request for each input, and unit vectors that only depend on the text.
 * Throws ApiError for what is not allowed.
 */
export async function answerEmbeddings(
  live: Live,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readObject(request);
  const model = modelName(body);
  checkModel(model, live.simulation.options.model);
  const inputs = inputTexts(body.input);
  const base64 = body.encoding_format === 'base64';
  const lengths = inputs.map(text => Math.max(1, countTokens(text)));
  const longest = Math.max(...lengths);
  if (longest > live.simulation.options.maxModelLen) {
    throw new ApiError(
      400,
      `an input has ${longest} tokens; the model takes ${live.simulation.options.maxModelLen}`,
      'input',
    );
  }
  const total = lengths.reduce((sum, tokens) => sum + tokens, 0);
  await computed(live, lengths, response);
  if (response.destroyed) return;
  replyJson(response, 200, {
    object: 'list',
    data: inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(vector(text), base64),
    })),
    model,
    usage: { prompt_tokens: total, total_tokens: total },
  });
}

/** Resolves when the engine has computed all inputs, or the client is gone. */
function computed(live: Live, lengths: readonly number[], response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    let left = lengths.length;
    const finished = (): void => {
      left -= 1;
      if (left === 0) resolve();
    };
    const submitted: Request[] = lengths.map(promptTokens => {
      const api = { endpoint: 'embeddings', stream: false } as const;
      return live.submit({ promptTokens, outputTokens: 0, finishReason: 'stop', api }, { finished });
    });
    response.once('close', () => {
      if (left > 0) for (const one of submitted) live.abort(one);
    });
  });
}

function inputTexts(input: unknown): readonly string[] {
  const list = Array.isArray(input) ? input : [input];
  if (list.length === 0 || !list.every(text => typeof text === 'string' && text !== '')) {
    throw new ApiError(400, 'input must be a text or a list of texts, none of them empty', 'input');
  }
  return list as string[];
}

function vector(text: string): Float32Array {
  const random = new Random(hash(text));
  const values = Float32Array.from({ length: dimensions }, () => random.normal());
  const length = Math.hypot(...values);
  return values.map(value => value / length);
}

function encoded(values: Float32Array, base64: boolean): string | number[] {
  return base64 ? Buffer.from(values.buffer).toString('base64') : [...values];
}
