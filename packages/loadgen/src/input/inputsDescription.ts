import type { AudioOptions } from '../media/audioOptions.ts';
import type { ImageOptions } from '../media/imageOptions.ts';
import { openMedia } from '../media/media.ts';
import { measureTemplate, type TemplateTokens } from '../tokens/chatTokens.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { type CacheBustTarget, countMarkerTokens } from './cacheBust.ts';
import type { Inputs } from './conversation.ts';
import { type DagOptions, openDagInputs } from './dagInputs.ts';
import { capDelays } from './delayCap.ts';
import { type ConversationFileOptions, openFileInputs } from './fileInputs.ts';
import { openInputsJson, openPayloadInputs, type PayloadOptions } from './payloadInputs.ts';
import { openPoolInputs, type PoolOptions } from './poolInputs.ts';
import { openRowInputs, type RowOptions } from './rowInputs.ts';
import type { FileOptions } from './sampling.ts';
import { openShareGptInputs, type ShareGptOptions } from './shareGptInputs.ts';
import { createSyntheticInputs, type SyntheticOptions } from './syntheticInputs.ts';
import { prependSystemPrompt } from './systemPrompt.ts';
import { openTraceInputs, type TraceOptions } from './traceInputs.ts';

/** Inputs described as plain data, so that a worker thread can open them. */
export type InputsDescription = Source & {
  /** System message of all conversations, in front of those that they have. */
  readonly systemPrompt?: string;
  /** Maximum delay between a response and the next turn, in ms. */
  readonly maxDelayMs?: number;
  /** Place of the marker that requests have; it takes tokens of generated prompts. */
  readonly cacheBust?: CacheBustTarget;
  /** True if the length of generated prompts includes the tokens of the chat template; false by default. */
  readonly appliesChatTemplate?: boolean;
};

type Source =
  | ({ readonly kind: 'synthetic' } & Omit<SyntheticOptions, 'tokenizer' | 'media'> & {
        readonly images?: ImageOptions;
        readonly audios?: AudioOptions;
      })
  | ({ readonly kind: 'file'; readonly path: string } & ConversationFileOptions)
  | ({ readonly kind: 'pool'; readonly path: string } & PoolOptions)
  | ({ readonly kind: 'payloads'; readonly path: string } & PayloadOptions)
  | ({ readonly kind: 'inputsJson'; readonly path: string } & FileOptions)
  | ({ readonly kind: 'rows'; readonly path: string } & RowOptions)
  | ({ readonly kind: 'dag'; readonly path: string } & DagOptions)
  | ({ readonly kind: 'shareGpt'; readonly path: string } & Omit<ShareGptOptions, 'tokenizer'>)
  | ({ readonly kind: 'trace'; readonly path: string } & Omit<TraceOptions, 'tokenizer'>);

/** Opens inputs. The tokenizer determines the length of generated prompts. Rejects if the inputs are invalid. */
export async function openInputs(description: InputsDescription, tokenizer?: Tokenizer): Promise<Inputs> {
  const { systemPrompt, maxDelayMs } = description;
  const source = await openSource(description, tokenizer);
  // Conversations that others start have their own system messages and delays.
  if (description.kind === 'dag') return source;
  const inputs = maxDelayMs === undefined ? source : capDelays(source, maxDelayMs);
  return systemPrompt === undefined ? inputs : prependSystemPrompt(inputs, systemPrompt);
}

/** Reports whether the tokenizer determines the contents of inputs, because texts are generated or selected by length. */
export function needsTokenizer(description: InputsDescription): boolean {
  if (description.kind === 'trace')
    return description.type !== 'sagemaker_data_capture' && description.type !== 'baseten_trace';
  return description.kind === 'synthetic' || description.kind === 'shareGpt';
}

async function openSource(description: InputsDescription, tokenizer: Tokenizer | undefined): Promise<Inputs> {
  const generation = tokenizer === undefined ? {} : { tokenizer };
  switch (description.kind) {
    case 'synthetic':
      return createSyntheticInputs({
        ...reserveTemplate(reserveMarker(description, tokenizer), await measure(description, tokenizer)),
        ...generation,
        media: await openMedia(description),
      });
    case 'file':
      return openFileInputs(description.path, description);
    case 'pool':
      return openPoolInputs(description.path, description);
    case 'payloads':
      return openPayloadInputs(description.path, description);
    case 'inputsJson':
      return openInputsJson(description.path, description);
    case 'rows':
      return openRowInputs(description.path, description);
    case 'dag':
      return openDagInputs(description.path, description);
    case 'shareGpt':
      return openShareGptInputs(description.path, { ...description, ...generation });
    case 'trace':
      return openTraceInputs(description.path, { ...description, ...generation });
  }
}

type SyntheticDescription = Extract<InputsDescription, { readonly kind: 'synthetic' }>;

/** Reduces the text that the marker is added to by the tokens of the marker, as AIPerf does. */
function reserveMarker(
  description: SyntheticDescription,
  tokenizer: Tokenizer | undefined,
): SyntheticDescription {
  const { cacheBust = 'none', systemPrompt, sharedSystemTokens } = description;
  const markerTokens = countMarkerTokens(cacheBust, tokenizer);
  if (markerTokens === 0) return description;
  if (!cacheBust.startsWith('system') || (systemPrompt ?? sharedSystemTokens) === undefined)
    return { ...description, reservedTokens: { firstTurn: markerTokens, laterTurns: 0 } };
  return sharedSystemTokens === undefined
    ? description
    : { ...description, sharedSystemTokens: Math.max(1, sharedSystemTokens - markerTokens) };
}

/** Measures the tokens of the chat template, if prompts are shorter by them. */
async function measure(
  { appliesChatTemplate = false }: SyntheticDescription,
  tokenizer: Tokenizer | undefined,
): Promise<TemplateTokens | undefined> {
  return tokenizer && appliesChatTemplate ? await measureTemplate(tokenizer.name, tokenizer) : undefined;
}

/** Reduces the text of each turn by the tokens that the chat template adds to it, as AIPerf does. */
function reserveTemplate(
  description: SyntheticDescription,
  template: TemplateTokens | undefined,
): SyntheticDescription {
  if (!template) return description;
  const { firstTurn = 0, laterTurns = 0 } = description.reservedTokens ?? {};
  const { request, message } = template;
  const reservedTokens = { firstTurn: firstTurn + request + message, laterTurns: laterTurns + message };
  return { ...description, reservedTokens };
}
