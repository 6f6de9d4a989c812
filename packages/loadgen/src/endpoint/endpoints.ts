import { chat } from './chat.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import type { Endpoint, EndpointName } from './endpoint.ts';
import { huggingfaceGenerate } from './huggingfaceGenerate.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** The supported APIs by name. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  chat,
  completions,
  embeddings,
  responses,
  messages,
  huggingface_generate: huggingfaceGenerate,
};
