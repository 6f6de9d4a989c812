import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Conversation, Turn } from './conversation.ts';

/** The places of a marker that keeps a server from finding a prompt in its prefix cache, by the names of AIPerf. */
export const CACHE_BUST_TARGETS = [
  'none',
  'system_prefix',
  'system_suffix',
  'first_turn_prefix',
  'first_turn_suffix',
  'warmup_isolation_system',
  'warmup_isolation_first_turn',
] as const;
export type CacheBustTarget = (typeof CACHE_BUST_TARGETS)[number];

/** Length of the id in a marker, in hexadecimal digits, as in AIPerf. */
const ID_DIGITS = 12;

/** The marker of all warm-up conversations with `warmup_isolation_*`. */
const WARMUP_MARKER = '[warmup]\n\n';

/** The session that a conversation is sent in. */
export interface MarkedSession {
  readonly isWarmup: boolean;
  /** A random id of hexadecimal digits and dashes, different for each session of each run. */
  readonly id: string;
}

/**
 * Adds a marker to the system message of a conversation, or to its first turn if the target is the first turn or if
 * there is no system message. Markers of `warmup_isolation_*` are the same in all conversations of the warm-up, and
 * absent afterwards, so that profiling does not find the prompts of the warm-up in the cache.
 */
export function addMarker(
  conversation: Conversation,
  target: CacheBustTarget,
  session: MarkedSession,
): Conversation {
  const text = createMarker(target, session);
  if (text === undefined) return conversation;
  const marker = { text, isPrefix: !target.endsWith('_suffix') };
  const { system, context, turns } = conversation;
  if (target.includes('system') && system !== undefined)
    return { ...conversation, system: markText(system, marker) };
  if (context !== undefined && marker.isPrefix)
    return { ...conversation, context: markText(context, marker) };
  return { ...conversation, turns: [markTurn(turns[0]!, marker), ...turns.slice(1)] };
}

interface Marker {
  readonly text: string;
  /** True if the marker precedes the text. */
  readonly isPrefix: boolean;
}

function markText(text: string, marker: Marker): string {
  return marker.isPrefix ? marker.text + text : text + marker.text;
}

/** Adds a marker to a turn, and to the first user message that is sent for it. The number of tokens is then unknown. */
function markTurn({ tokens: _, messages, ...turn }: Turn, marker: Marker): Turn {
  const text = markText(turn.text, marker);
  if (messages === undefined) return { ...turn, text };
  const first = messages.findIndex(({ role }) => role === 'user');
  const marked = messages.map((message, index) =>
    index === first ? { ...message, content: markContent(message.content, marker) } : message,
  );
  return { ...turn, text, messages: marked };
}

/** Adds a marker to the content of a message: a text, or a list of parts. */
function markContent(content: unknown, marker: Marker): unknown {
  if (!Array.isArray(content)) return markText(String(content ?? ''), marker);
  const part = { type: 'text', text: marker.text.trim() };
  return marker.isPrefix ? [part, ...(content as unknown[])] : [...(content as unknown[]), part];
}

function createMarker(target: CacheBustTarget, { isWarmup, id }: MarkedSession): string | undefined {
  if (target === 'none') return undefined;
  if (target.startsWith('warmup_isolation')) return isWarmup ? WARMUP_MARKER : undefined;
  const rid = `[rid:${id.replaceAll('-', '').slice(0, ID_DIGITS)}]`;
  return target.endsWith('_prefix') ? `${rid}\n\n` : `\n\n${rid}`;
}

/** Ids whose token counts are averaged, because the length of a marker in tokens depends on its digits. */
const SAMPLE_IDS: readonly string[] = [
  ...['0f3a9c51d7e2', '7b20c4e8195d', 'a1d6f09b3c74', '58e3b7a2f6c0'],
  ...['c94d1e7f0a38', '3e8b52d6a9f1', 'f607a4c3b91e', '2d95e0f8b7a6'],
];

/** Returns the mean number of tokens of a marker; 0 if conversations of the profiling phase have none. */
export function countMarkerTokens(target: CacheBustTarget, tokenizer: Tokenizer | undefined): number {
  const markers = SAMPLE_IDS.map(id => createMarker(target, { isWarmup: false, id }));
  if (!tokenizer || markers[0] === undefined) return 0;
  const total = markers.reduce((sum, marker) => sum + tokenizer.count(marker!), 0);
  return Math.round(total / markers.length);
}
