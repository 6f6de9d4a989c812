import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Random } from '@org/core';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { type Fields, InputError, optionalNumber, optionalText, readLine, textIn } from './inputFile.ts';

/** In which order conversations are taken. */
export type Sampling = 'sequential' | 'shuffle' | 'random';

export interface FileOptions {
  /** `sequential` by default: in the file's order, and round again. */
  readonly sampling?: Sampling;
  readonly seed?: number;
}

/**
 * Reads conversations from a JSONL file, one a line: single turns (`{"text": ...}`; `prompt` means the same), or several
 * (`{"session_id": ..., "turns": [{"text": ..., "delay": ms}, ...]}`). Further fields: `role`, `model`, `output_length`
 * (tokens), `timestamp` (ms; of later turns: not before it, in a fixed schedule). Lines with a session_id and one turn each make one conversation. Empty lines are skipped.
 * Rejects with the line's number for what cannot be used.
 */
export async function fileInputs(path: string, options: FileOptions = {}): Promise<Inputs> {
  const found = joined(await readLines(path, conversationIn));
  if (found.every(({ startMs }) => startMs !== undefined)) found.sort((a, b) => a.startMs! - b.startMs!);
  const origin = found[0]?.startMs ?? 0;
  return inputsOf(
    path,
    found.map(
      ({ conversation }) =>
        () =>
          since(origin, conversation),
    ),
    found.map(({ startMs }) => (startMs === undefined ? undefined : startMs - origin)),
    options,
  );
}

/** The conversation with the times of its later turns counted from the beginning of the schedule. */
function since(origin: number, conversation: Conversation): Conversation {
  const turns = conversation.turns.map(({ atMs, ...turn }, index) =>
    index === 0 || atMs === undefined ? turn : { ...turn, atMs: Math.max(0, atMs - origin) },
  );
  return { ...conversation, turns };
}

/** Reads each line of a JSONL file. */
export async function readLines<T>(path: string, read: (line: Fields, number: number) => T): Promise<T[]> {
  const found: T[] = [];
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      found.push(read(readLine(line), number));
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`${path}:${number}: ${error.message}`);
      throw error;
    }
  }
  return found;
}

/** Inputs of conversations and when they begin, ms. Throws when there are none. */
export function inputsOf(
  path: string,
  conversations: readonly (() => Conversation)[],
  startsMs: readonly (number | undefined)[],
  options: FileOptions,
): Inputs {
  const size = conversations.length;
  const { sampling = 'sequential' } = options;
  if (size === 0) throw new InputError(`${path} holds no conversation; at least one line of JSON is needed`);
  const order = orderOf(size, options);
  return {
    size,
    startsMs:
      sampling === 'sequential' && startsMs.every(start => start !== undefined) ? startsMs : undefined,
    conversation: index => conversations[order(index)]!(),
  };
}

function orderOf(
  size: number,
  { sampling = 'sequential', seed = 0 }: FileOptions,
): (index: number) => number {
  const random = new Random(seed).fork('sampling');
  if (sampling === 'random') return index => random.fork(`draw ${index}`).below(size);
  if (sampling === 'sequential') return index => index % size;
  if (sampling !== 'shuffle')
    throw new InputError(
      `sampling is ${JSON.stringify(sampling)}; sequential, shuffle and random are accepted`,
    );
  // Fisher and Yates.
  const order = Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return index => order[index % size]!;
}

/** A conversation and when it begins, ms of the file. */
interface Timed {
  readonly conversation: Conversation;
  readonly startMs: number | undefined;
}

function conversationIn(line: Fields, number: number): Timed {
  const id = optionalText(line, 'session_id') ?? optionalText(line, 'id');
  const turns = line.turns === undefined ? [turnIn(line)] : turnsIn(line.turns);
  const system = optionalText(line, 'system');
  const first =
    Array.isArray(line.turns) && typeof line.turns[0] === 'object' ? (line.turns[0] as Fields) : line;
  const startMs = optionalNumber(first, 'timestamp') ?? optionalNumber(line, 'timestamp');
  const timed = startMs === undefined ? turns : [{ ...turns[0]!, atMs: startMs }, ...turns.slice(1)];
  const conversation = {
    id: id ?? `line-${number}`,
    turns: timed,
    ...(system === undefined ? {} : { system }),
  };
  return { conversation, startMs };
}

function turnsIn(value: unknown): Turn[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError('turns must be a list of at least one turn');
  return value.map(turn => {
    if (typeof turn === 'string') return turnIn({ text: turn });
    if (typeof turn === 'object' && turn !== null) return turnIn(turn as Fields);
    throw new InputError(`a turn is ${JSON.stringify(turn)}; a text or an object is accepted`);
  });
}

function turnIn(fields: Fields): Turn {
  const role = optionalText(fields, 'role');
  const model = optionalText(fields, 'model');
  const maxTokens = optionalNumber(fields, 'output_length') ?? optionalNumber(fields, 'max_tokens');
  const delayMs = optionalNumber(fields, 'delay');
  const atMs = delayMs === undefined ? optionalNumber(fields, 'timestamp') : undefined;
  return {
    text: textIn(fields),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(atMs === undefined ? {} : { atMs }),
  };
}

/** Lines of one session become one conversation, in the file's order. */
function joined(found: readonly Timed[]): Timed[] {
  const byId = new Map<string, Timed>();
  for (const one of found) {
    const { id, turns } = one.conversation;
    const before = byId.get(id);
    const conversation = before && {
      ...before.conversation,
      turns: [...before.conversation.turns, ...turns],
    };
    byId.set(id, before && conversation ? { ...before, conversation } : one);
  }
  return [...byId.values()];
}
