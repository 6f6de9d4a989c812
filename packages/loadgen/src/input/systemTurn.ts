import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Conversation, Turn } from './conversation.ts';

/** The APIs that have system messages. */
const ENDPOINTS_WITH_SYSTEM: ReadonlySet<EndpointName> = new Set([
  ...(['chat', 'responses', 'messages', 'chat_embeddings'] as const),
]);

/** Properties of a turn that only a request can have. */
const REQUEST_PROPERTIES = ['contents', 'maxTokens', 'delayMs', 'atMs', 'extra'] as const;

/**
 * Makes a first turn with the role `system` the system message of the conversation, instead of a request without a message
 * of the user. As in AIPerf, the turn remains a request if it has properties of a request or contents other than a text, if no
 * turn of another role follows it, or if the API has no system messages.
 */
export function liftSystemTurn(conversation: Conversation, endpoint: EndpointName = 'chat'): Conversation {
  const { system, turns } = conversation;
  const [first, ...others] = turns;
  if (system !== undefined || !ENDPOINTS_WITH_SYSTEM.has(endpoint)) return conversation;
  if (!isSystemText(first!) || others.length === 0 || others[0]!.role === 'system') return conversation;
  return { ...conversation, system: first!.text, turns: others };
}

function isSystemText(turn: Turn): boolean {
  return (
    turn.role === 'system' && turn.text !== '' && REQUEST_PROPERTIES.every(name => turn[name] === undefined)
  );
}
