/** Amounts reported by the server: tokens, except `promptAudioSeconds`. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  /** Prompt tokens read from the prompt cache, written to it, and not found in it. */
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly cacheMissTokens?: number;
  /** Tokens of a predicted output that the response contains, and tokens that it does not contain. */
  readonly acceptedPredictionTokens?: number;
  readonly rejectedPredictionTokens?: number;
  readonly promptAudioTokens?: number;
  readonly completionAudioTokens?: number;
  readonly promptAudioSeconds?: number;
  readonly toolUsePromptTokens?: number;
}

const PROMPT_DETAILS = ['prompt_tokens_details', 'input_tokens_details'];
const COMPLETION_DETAILS = ['completion_tokens_details', 'output_tokens_details'];

/** The places of each amount in `usage`: paths of fields, of which the first one with a value counts. */
const PATHS: Readonly<Record<keyof Usage, readonly string[]>> = {
  promptTokens: ['prompt_tokens', 'input_tokens'],
  completionTokens: ['completion_tokens', 'output_tokens'],
  totalTokens: ['total_tokens'],
  reasoningTokens: [...listPaths(COMPLETION_DETAILS, 'reasoning_tokens'), 'reasoning_tokens'],
  cachedTokens: [
    ...listPaths(PROMPT_DETAILS, 'cached_tokens'),
    ...['cache_read_input_tokens', 'prompt_cache_hit_tokens', 'cached_tokens'],
  ],
  cacheWriteTokens: ['cache_creation_input_tokens'],
  cacheMissTokens: ['prompt_cache_miss_tokens'],
  acceptedPredictionTokens: listPaths(COMPLETION_DETAILS, 'accepted_prediction_tokens'),
  rejectedPredictionTokens: listPaths(COMPLETION_DETAILS, 'rejected_prediction_tokens'),
  promptAudioTokens: listPaths(PROMPT_DETAILS, 'audio_tokens'),
  completionAudioTokens: listPaths(COMPLETION_DETAILS, 'audio_tokens'),
  promptAudioSeconds: ['prompt_audio_seconds'],
  toolUsePromptTokens: ['toolUsePromptTokenCount'],
};

const FIELDS = Object.entries(PATHS) as [keyof Usage, readonly string[]][];

/** Reads `usage` from an OpenAI-compatible response; undefined if it is not an object. Invalid amounts are omitted. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const usage: Partial<Record<keyof Usage, number>> = {};
  for (const [name, paths] of FIELDS) {
    const amount = paths.map(path => readPath(value, path)).find(found => found !== undefined);
    if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) usage[name] = amount;
  }
  return usage;
}

function listPaths(parents: readonly string[], field: string): string[] {
  return parents.map(parent => `${parent}.${field}`);
}

/** Returns the value at a path of one or two fields; undefined if it is absent or null. */
function readPath(value: Readonly<Record<string, unknown>>, path: string): unknown {
  const [field, nestedField] = path.split('.');
  const found = value[field!];
  if (nestedField === undefined) return found ?? undefined;
  return isObject(found) ? (found[nestedField] ?? undefined) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
