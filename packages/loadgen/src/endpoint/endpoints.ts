import { chat } from './chat.ts';
import { chatEmbeddings } from './chatEmbeddings.ts';
import { completions } from './completions.ts';
import { type CustomFormat, raw, template } from './customEndpoints.ts';
import { embeddings, nimEmbeddings } from './embeddings.ts';
import type { Endpoint, EndpointName } from './endpoint.ts';
import { huggingfaceGenerate } from './huggingfaceGenerate.ts';
import { audioTranscription, imageEdit, imageGeneration, imageRetrieval } from './images.ts';
import { messages } from './messages.ts';
import { cohereRankings, nimRankings, teiRankings } from './rankings.ts';
import { responses } from './responses.ts';
import { solidoRag } from './solidoRag.ts';

/** The supported APIs by name. `openEndpoint` adds the format of `raw` and `template`. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  chat,
  completions,
  embeddings,
  responses,
  messages,
  huggingface_generate: huggingfaceGenerate,
  chat_embeddings: chatEmbeddings,
  nim_embeddings: nimEmbeddings,
  nim_rankings: nimRankings,
  cohere_rankings: cohereRankings,
  hf_tei_rankings: teiRankings,
  solido_rag: solidoRag,
  image_generation: imageGeneration,
  image_edit: imageEdit,
  image_retrieval: imageRetrieval,
  audio_transcription: audioTranscription,
  raw,
  template,
};

/** Returns an API by name; an API that is open is returned as it is. Throws RangeError for an unknown name. */
export function findEndpoint(endpoint: EndpointName | Endpoint = 'chat'): Endpoint {
  if (typeof endpoint !== 'string') return endpoint;
  if (Object.hasOwn(ENDPOINTS, endpoint)) return ENDPOINTS[endpoint];
  throw new RangeError(
    `unknown endpoint type ${JSON.stringify(endpoint)}; expected one of ${Object.keys(ENDPOINTS).join(', ')}`,
  );
}

/** Opens an API. Rejects with a `TemplateError` if its format is invalid. */
export async function openEndpoint(name: EndpointName, format?: CustomFormat): Promise<Endpoint> {
  if (format === undefined) return ENDPOINTS[name];
  // Most runs need no templates.
  const { applyFormat } = await import('./customFormat.ts');
  return applyFormat(ENDPOINTS[name], format);
}

/** Reports whether responses of an API contain text, instead of vectors, scores or images. */
export function generatesText(name: EndpointName): boolean {
  return ENDPOINTS[name].generatesText;
}

/** Reports whether an API has token counts: of its inputs, or of the texts that it returns. */
export function countsTokens(name: EndpointName): boolean {
  return generatesText(name) || ENDPOINTS[name].countsInput !== false;
}

/** Reports whether requests of an API contain messages, to which a server applies a chat template. */
export function hasMessages(name: EndpointName): boolean {
  const { promptFields } = ENDPOINTS[name];
  return promptFields.includes('messages') || name === 'responses' || name === 'raw' || name === 'template';
}
