import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Conversation, Turn } from './conversation.ts';

/** The APIs that have system messages. */
const ENDPOINTS_WITH_SYSTEM: ReadonlySet<EndpointName> = new Set([
  ...(['chat', 'responses', 'messages', 'chat_embeddings'] as const),
]);

/** Properties of a turn that only a request can have. */
const REQUEST_PROPERTIES = ['contents', 'maxTokens', 'delayMs', 'atMs', 'extra'] as const;

/**
 * Turns a first turn with the role `system` into the system message of the conversation. As in AIPerf, it remains a request if
 * it has request properties or no text, if the next turn is missing or also a system turn, or if the API has no system messages.
 * The next turn is then the first one, which has no delay.
 */
export function liftSystemTurn(conversation: Conversation, endpoint: EndpointName = 'chat'): Conversation {
  const { system, turns } = conversation;
  const [first, ...others] = turns;
  if (system !== undefined || !ENDPOINTS_WITH_SYSTEM.has(endpoint)) return conversation;
  if (!isSystemText(first!) || others.length === 0 || others[0]!.role === 'system') return conversation;
  const [{ delayMs: _, ...second }, ...rest] = others as [Turn, ...Turn[]];
  return { ...conversation, system: first!.text, turns: [second, ...rest] };
}

function isSystemText(turn: Turn): boolean {
  return (
    turn.role === 'system' && turn.text !== '' && REQUEST_PROPERTIES.every(name => turn[name] === undefined)
  );
}
