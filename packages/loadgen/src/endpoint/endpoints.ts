import { chat } from './chat.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import type { Endpoint, EndpointName } from './endpoint.ts';

/** The supported APIs by name. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = { chat, completions, embeddings };
