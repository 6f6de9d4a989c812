/** The types of endpoints whose requests have one input. */
const SINGLE_INPUT_TYPES: ReadonlySet<unknown> = new Set([
  'chat',
  'responses',
  'messages',
  'huggingface_generate',
  'chat_embeddings',
]);

/** The types of endpoints whose requests have as many inputs as the batch size. */
const BATCH_TYPES: ReadonlySet<unknown> = new Set(['completions', 'embeddings', 'nim_embeddings']);

interface InputConfig {
  readonly endpoint?: { readonly type?: unknown };
  readonly datasets?: readonly {
    readonly type?: unknown;
    readonly prompts?: { readonly batch_size?: number };
  }[];
}

/**
 * Reports whether a request of a load may have several inputs, according to the `input_config` of its export. vLLM counts
 * each input as a request.
 */
export function mayCombineInputs(inputConfig: Readonly<Record<string, unknown>>): boolean {
  const { endpoint, datasets = [] } = inputConfig as InputConfig;
  const type = endpoint?.type ?? 'chat';
  if (SINGLE_INPUT_TYPES.has(type)) return false;
  if (!BATCH_TYPES.has(type)) return true;
  return datasets.some(dataset => dataset.type === 'file' || (dataset.prompts?.batch_size ?? 1) > 1);
}
