import { InputError } from './inputError.ts';
import { type Fields, readJsonLines, readOptionalNumber } from './inputFile.ts';
import { readHashIds, readTokens, type TraceEntry } from './traceEntry.ts';

/** Value of `parent_chat_id` for the first request of a conversation. */
const NO_PARENT = -1;

/** A request, its number in the conversation, and the request that it follows. */
interface ChatEntry {
  readonly chat: number;
  readonly parent: number;
  readonly turn: number;
  readonly entry: Omit<TraceEntry, 'session'>;
}

/**
 * Reads a trace in the format of Alibaba Bailian: `{"chat_id": 1, "parent_chat_id": -1, "timestamp": seconds,
 * "input_length": tokens, "output_length": tokens, "turn": 1, "hash_ids": [...]}`. Requests that follow each other
 * (`parent_chat_id`) are the turns of one conversation.
 */
export async function readBailianTrace(path: string): Promise<TraceEntry[]> {
  const chats = await readJsonLines(path, (line, number) => parseChat(line, `${path}:${number}`));
  const parents = new Map(chats.map(({ chat, parent }) => [chat, parent]));
  const roots = new Map<number, number>();
  return chats
    .sort((a, b) => a.turn - b.turn)
    .map(({ chat, entry }) => ({ ...entry, session: String(findRoot(chat, parents, roots)) }));
}

function parseChat(line: Fields, place: string): ChatEntry {
  const timestampS = readOptionalNumber(line, 'timestamp');
  if (timestampS === undefined) throw new InputError('missing timestamp; expected a number of seconds');
  const entry = {
    place,
    timestamp: timestampS * 1000,
    input: readTokens(line, 'input_length'),
    output: readTokens(line, 'output_length'),
    hashIds: readHashIds(line),
  };
  return {
    chat: readInteger(line, 'chat_id'),
    parent: readInteger(line, 'parent_chat_id', NO_PARENT),
    turn: readInteger(line, 'turn', 1),
    entry,
  };
}

function readInteger(line: Fields, name: string, defaultValue?: number): number {
  const value = line[name] ?? defaultValue;
  if (Number.isInteger(value)) return value as number;
  throw new InputError(
    value === undefined
      ? `missing ${name}; expected an integer`
      : `${name} is ${JSON.stringify(value)}; expected an integer`,
  );
}

/** Returns the first request of a conversation. `roots` keeps what is known, so that long chains take linear time. */
function findRoot(chat: number, parents: ReadonlyMap<number, number>, roots: Map<number, number>): number {
  const path = new Set<number>();
  let current = chat;
  while (!roots.has(current) && !path.has(current)) {
    path.add(current);
    const parent = parents.get(current) ?? NO_PARENT;
    if (parent === NO_PARENT || !parents.has(parent)) break;
    current = parent;
  }
  const root = roots.get(current) ?? current;
  for (const id of path) roots.set(id, root);
  return root;
}
