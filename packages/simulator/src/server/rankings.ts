import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashText, Random } from '@org/core';
import { checkModel } from './completionApi.ts';
import { parseModelName } from './completionParameters.ts';
import { checkLengths, processInputs } from './engineInputs.ts';
import { ApiError, readJsonObject, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';
import { countTokens } from './tokenizer.ts';

type Body = Readonly<Record<string, unknown>>;

/** A passage with its score, from 0 to 1. */
interface ScoredPassage {
  readonly index: number;
  readonly text: string;
  readonly score: number;
}

/** The format of an API that ranks passages by a query. */
interface RankingFormat {
  /** The field of the body with the passages. */
  readonly passagesField: string;
  readonly hasModel: boolean;
  formatResponse(passages: readonly ScoredPassage[], body: Body, tokens: number): object;
}

/** The ranking APIs of NVIDIA NIM, Cohere, and Text Embeddings Inference, by path. */
export const RANKING_APIS: Readonly<Record<string, RankingFormat>> = {
  '/v1/ranking': {
    passagesField: 'passages',
    hasModel: true,
    formatResponse: (passages, _, tokens) => ({
      rankings: passages.map(({ index, score }) => ({ index, logit: Math.log(score / (1 - score)) })),
      usage: toUsage(tokens),
    }),
  },
  '/v2/rerank': {
    passagesField: 'documents',
    hasModel: true,
    formatResponse: (passages, { model, top_n: limit }, tokens) => ({
      model,
      results: passages
        .slice(0, typeof limit === 'number' && limit >= 1 ? limit : passages.length)
        .map(({ index, text, score }) => ({ index, document: { text }, relevance_score: score })),
      usage: toUsage(tokens),
    }),
  },
  '/rerank': {
    passagesField: 'texts',
    hasModel: false,
    formatResponse: (passages, { return_text: isWithText }) =>
      passages.map(({ index, text, score }) => ({ index, score, ...(isWithText === true && { text }) })),
  },
};

/**
 * Handles a request to rank passages. Each passage is one request to the engine, together with the query; its score
 * depends only on the two texts. Throws ApiError for invalid requests.
 */
export async function handleRanking(
  live: LiveSimulation,
  { passagesField, hasModel, formatResponse }: RankingFormat,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJsonObject(request);
  if (hasModel) checkModel(parseModelName(body), live.simulation.options.model);
  const query = readText(body.query, 'query');
  const texts = readPassages(body[passagesField], passagesField);
  const lengths = texts.map(text => Math.max(1, countTokens(query) + countTokens(text)));
  checkLengths(live, lengths, passagesField);
  await processInputs(live, 'rerank', lengths, response);
  if (response.destroyed) return;
  const tokens = lengths.reduce((sum, length) => sum + length, 0);
  sendJson(response, 200, formatResponse(rankPassages(query, texts), body, tokens));
}

/** Returns the passages by falling score. */
function rankPassages(query: string, texts: readonly string[]): ScoredPassage[] {
  const passages = texts.map((text, index) => ({ index, text, score: computeScore(query, text) }));
  return passages.sort((a, b) => b.score - a.score);
}

function computeScore(query: string, text: string): number {
  const score = new Random(hashText(`${query} ${text}`)).next();
  return Math.min(0.999, Math.max(0.001, score));
}

function readPassages(value: unknown, param: string): string[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new ApiError(400, `${param} must be a non-empty list`, param);
  return value.map(passage => readText(passage, param));
}

/** Returns a text, or the text of an object. */
function readText(value: unknown, param: string): string {
  const text = typeof value === 'object' && value !== null ? (value as Body).text : value;
  if (typeof text !== 'string') throw new ApiError(400, `${param} must contain texts`, param);
  return text;
}

function toUsage(tokens: number): object {
  return { prompt_tokens: tokens, total_tokens: tokens };
}
