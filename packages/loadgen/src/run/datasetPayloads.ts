import { toRunNumber, WHOLE_RUN } from '@org/core';
import { findEndpoint } from '../endpoint/endpoints.ts';
import type { Conversation, Inputs } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';
import { WARMUP_OFFSET } from './conversationQueue.ts';
import type { LoadOptions } from './loadOptions.ts';
import { toMessage } from './session.ts';
import { buildFields, selectModel } from './target.ts';

/** The load that conversations were sent with. */
export type DatasetLoad = Pick<LoadOptions, 'endpoint' | 'target' | 'seed' | 'shard'>;

/** Number of sessions of each phase. */
export type SessionCounts = Readonly<Record<PhaseName, number>>;

/** The requests of one conversation. */
export interface ConversationPayloads {
  readonly id: string;
  /** The request body of each turn, without the earlier turns, because responses are part of them. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
}

/** Returns the number of conversations of a dataset: all, or those of the sessions if the inputs are unlimited. */
export function countConversations({ size }: Inputs, sessions: SessionCounts): number {
  return size ?? sessions.warmup + sessions.profiling;
}

/** Yields the requests of the first `count` conversations of a dataset. Unlimited inputs begin with the warm-up. */
export function* generatePayloads(
  load: DatasetLoad,
  inputs: Inputs,
  sessions: SessionCounts,
  count: number,
): Generator<ConversationPayloads> {
  const yielded = new Set<Conversation>();
  for (let entry = 0; entry < count; entry++) {
    const isWarmup = inputs.size === undefined && entry < sessions.warmup;
    const position = inputs.size === undefined && !isWarmup ? entry - sessions.warmup : entry;
    const session = inputs.size === undefined ? toRunNumber(position, load.shard ?? WHOLE_RUN) : position;
    const conversation = readEntry(inputs, isWarmup ? WARMUP_OFFSET + session : session);
    for (const part of listConversations(conversation, yielded))
      yield { id: part.id, payloads: buildPayloads(load, part, session) };
  }
}

/** Lists a conversation, and those that it starts and that were not listed before. */
function listConversations(conversation: Conversation, listed: Set<Conversation>): Conversation[] {
  const { branches = [] } = conversation;
  const children = branches.flatMap(branch => branch.conversations).filter(child => !listed.has(child));
  for (const child of children) listed.add(child);
  return [conversation, ...children.flatMap(child => listConversations(child, listed))];
}

function readEntry(inputs: Inputs, index: number): Conversation {
  return inputs.getEntry ? inputs.getEntry(index) : inputs.getConversation(index);
}

function buildPayloads(
  { endpoint, target, seed = 0 }: DatasetLoad,
  { system, context, turns }: Conversation,
  session: number,
): Readonly<Record<string, unknown>>[] {
  const systemMessages = system === undefined ? [] : [{ role: 'system', content: system }];
  const contextMessages = context === undefined ? [] : [{ role: 'user', content: context }];
  return turns.map(turn =>
    buildFields(
      findEndpoint(endpoint),
      target,
      turn.model ?? selectModel(target, session, seed),
      [...systemMessages, ...contextMessages, toMessage(turn)],
      turn,
    ),
  );
}
