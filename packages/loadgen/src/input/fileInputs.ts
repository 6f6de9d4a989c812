import { Random } from '@org/core';
import type { EndpointName } from '../endpoint/endpoint.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { InputError } from './inputError.ts';
import {
  checkAlternatives,
  checkFields,
  checkFirstTurn,
  type Fields,
  readDelay,
  readJsonLines,
  readOptionalNumber,
  readOptionalObject,
  readOptionalText,
} from './inputFile.ts';
import {
  CONTENT_FIELDS,
  type ContentReader,
  createContentReader,
  createMessage,
  readContents,
} from './messageContents.ts';
import { stripRepeatedImages } from './repeatedImages.ts';
import { createInputs, type FileOptions } from './sampling.ts';
import { liftSystemTurn } from './systemTurn.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Options of {@link openFileInputs}. */
export interface ConversationFileOptions extends FileOptions {
  /** Accept lines with several turns; true by default. */
  readonly allowsTurns?: boolean;
  /** Maximum response length of turns without one, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
  /** The API that the contents are sent to; contents that it cannot send are refused. */
  readonly endpoint?: EndpointName;
  /** Send images with an id only once in each conversation, and then only their ids; false by default. */
  readonly stripsImages?: boolean;
}

/**
 * Reads conversations from a JSONL file. A line is a single turn (`{"text": ...}`, or `prompt`) or a
 * conversation (`{"session_id": ..., "turns": [{"text": ..., "delay": ms}, ...]}`); lines with the same
 * `session_id` form one conversation. Optional fields: `texts`, `image`, `audio`, `video` (also as lists, such as
 * `images`), `role`, `model`, `system`, `output_length` (tokens), `timestamp` (ms; the send time in a fixed schedule),
 * `extra` (fields of the request body). `id` and `max_tokens` are accepted instead of
 * `session_id` and `output_length`, and a turn may be a string. Empty lines are skipped. Rejects with the file
 * and line number if a line is invalid or has fields that cannot be sent.
 */
export async function openFileInputs(path: string, options: ConversationFileOptions = {}): Promise<Inputs> {
  const { allowsTurns = true, outputTokens, stripsImages = false } = options;
  const reader = createContentReader(options.endpoint);
  const lines = await readJsonLines(path, (line, number) => {
    if (!allowsTurns && line.turns !== undefined)
      throw new InputError(
        'the line has turns, but the type of the file is single_turn; expected multi_turn',
      );
    return parseConversation(line, number, reader);
  });
  const conversations = joinSessions(lines, allowsTurns).map(session => {
    if (!allowsTurns) return session;
    const conversation = liftSystemTurn(session.conversation, options.endpoint);
    const startMs = session.startMs ?? conversation.turns[0]!.atMs;
    return { ...session, conversation, ...(startMs !== undefined && { startMs }) };
  });
  for (const { conversation, line } of conversations)
    checkFirstTurn(`${path}:${line}`, conversation.turns[0]!.delayMs);
  if (conversations.every(({ startMs }) => startMs !== undefined))
    conversations.sort((a, b) => a.startMs! - b.startMs!);
  const originMs = conversations[0]?.startMs ?? 0;
  const random = new Random(options.seed ?? 0).fork('output lengths');
  return createInputs(
    path,
    conversations.map(
      ({ conversation }, index) =>
        () =>
          limitResponses(
            shiftTimes(originMs, stripsImages ? stripRepeatedImages(conversation) : conversation),
            outputTokens,
            random.fork(`${index}`),
          ),
    ),
    conversations.map(({ startMs }) => (startMs === undefined ? undefined : startMs - originMs)),
    options,
  );
}

/** Makes the send times of later turns relative to the start of the schedule. */
function shiftTimes(originMs: number, conversation: Conversation): Conversation {
  const turns = conversation.turns.map(({ atMs, ...turn }, index) =>
    index === 0 || atMs === undefined ? turn : { ...turn, atMs: Math.max(0, atMs - originMs) },
  );
  return { ...conversation, turns };
}

/** Draws the response length of each turn that has none. */
function limitResponses(
  conversation: Conversation,
  outputTokens: ValueDistribution | undefined,
  random: Random,
): Conversation {
  if (outputTokens === undefined) return conversation;
  const turns = conversation.turns.map(turn => ({
    maxTokens: drawInteger(outputTokens, 1, random),
    ...turn,
  }));
  return { ...conversation, turns };
}

/** A conversation, its first line, and its start time, in ms, as in the file. */
interface TimedConversation {
  readonly conversation: Conversation;
  readonly line: number;
  readonly startMs: number | undefined;
}

const TURN_FIELDS = [
  ...CONTENT_FIELDS,
  ...['role', 'model', 'output_length', 'max_tokens', 'delay', 'timestamp', 'extra'],
];
const SESSION_FIELDS = ['session_id', 'id', 'system', 'type'];

function parseConversation(line: Fields, number: number, reader: ContentReader): TimedConversation {
  checkFields(
    line,
    line.turns === undefined
      ? [...TURN_FIELDS, ...SESSION_FIELDS]
      : ['turns', 'timestamp', ...SESSION_FIELDS],
  );
  const id = readOptionalText(line, 'session_id') ?? readOptionalText(line, 'id');
  const turns = line.turns === undefined ? [parseTurn(line, reader)] : parseTurns(line.turns, reader);
  const system = readOptionalText(line, 'system');
  const firstTurn =
    Array.isArray(line.turns) && typeof line.turns[0] === 'object' ? (line.turns[0] as Fields) : line;
  const startMs = readOptionalNumber(firstTurn, 'timestamp') ?? readOptionalNumber(line, 'timestamp');
  const timedTurns = startMs === undefined ? turns : [{ ...turns[0]!, atMs: startMs }, ...turns.slice(1)];
  const conversation = {
    id: id ?? `line-${number}`,
    turns: timedTurns,
    ...(system === undefined ? {} : { system }),
  };
  return { conversation, line: number, startMs };
}

function parseTurns(value: unknown, reader: ContentReader): Turn[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError('turns must be a list of at least one turn');
  return value.map(turn => {
    if (typeof turn === 'string') return parseTurn({ text: turn }, reader);
    if (typeof turn === 'object' && turn !== null) {
      checkFields(turn as Fields, TURN_FIELDS);
      return parseTurn(turn as Fields, reader);
    }
    throw new InputError(`invalid turn ${JSON.stringify(turn)}; expected a string or an object`);
  });
}

function parseTurn(fields: Fields, reader: ContentReader): Turn {
  checkAlternatives(fields, ['output_length', 'max_tokens']);
  const role = readOptionalText(fields, 'role');
  const model = readOptionalText(fields, 'model');
  const maxTokens = readOptionalNumber(fields, 'output_length') ?? readOptionalNumber(fields, 'max_tokens');
  const delayMs = readDelay(fields);
  const atMs = readOptionalNumber(fields, 'timestamp');
  const extra = readOptionalObject(fields, 'extra');
  return {
    ...createMessage([readContents(fields, reader)], reader.endpoint),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(atMs === undefined ? {} : { atMs }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** Joins the lines of each session into one conversation, in the file's order. */
function joinSessions(lines: readonly TimedConversation[], sendsHistory: boolean): TimedConversation[] {
  const byId = new Map<string, TimedConversation>();
  for (const line of lines) {
    const { id, turns } = line.conversation;
    const session = byId.get(id);
    const conversation = session && {
      ...session.conversation,
      turns: [...session.conversation.turns, ...turns],
      ...(sendsHistory ? {} : { sendsHistory }),
    };
    byId.set(id, session && conversation ? { ...session, conversation } : line);
  }
  return [...byId.values()];
}
