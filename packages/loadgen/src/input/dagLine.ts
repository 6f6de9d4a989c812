import { BEFORE_FIRST_TURN, type Turn } from './conversation.ts';
import { InputError } from './inputError.ts';
import {
  checkFields,
  describeValue,
  type Fields,
  isObject,
  readOptionalNumber,
  readOptionalObject,
  readOptionalObjects,
  readOptionalText,
} from './inputFile.ts';
import { createMessagesTurn, readMessages } from './recordedTurn.ts';

/** Conversations that a turn starts, by their ids. */
export interface DagBranch {
  /** Number of the turn, from 0, or `BEFORE_FIRST_TURN`. */
  readonly afterTurn: number;
  readonly children: readonly string[];
  readonly isFork: boolean;
  readonly joinTurn?: number;
}

/** A line of a `dag_jsonl` file. */
export interface DagLine {
  readonly id: string;
  /** `FILE:LINE`. */
  readonly place: string;
  readonly turns: readonly Turn[];
  readonly branches: readonly DagBranch[];
  /** True if each turn contains all of its messages. */
  readonly isComplete: boolean;
}

const LINE_FIELDS = ['session_id', 'turns', 'pre_session_spawns', 'context_mode', 'spawns', 'orchestrator'];
const TURN_FIELDS = ['messages', 'model', 'max_tokens', 'tools', 'extra', 'forks', 'spawns', 'delay'];
/** Fields of conversations that send no requests, and only start others. */
const ORCHESTRATOR_FIELDS = [
  'rounds',
  'think_time_ms',
  'think_time_sigma',
  'think_time_min_ms',
  'think_time_max_ms',
];

/** The modes of `context_mode`, and whether a turn contains all of its messages. */
const CONTEXT_MODES: Readonly<Record<string, boolean>> = {
  deltas_without_responses: false,
  message_array_with_responses: true,
};

/** Parses a line of a `dag_jsonl` file: a conversation, and the conversations that its turns start. */
export function parseDagLine(line: Fields, place: string): DagLine {
  if (line.orchestrator === true)
    throw new InputError(
      'orchestrator is true, but conversations that send no requests are not supported; start the others with the turns of a conversation, or as roots',
    );
  checkFields(line, [...LINE_FIELDS, ...ORCHESTRATOR_FIELDS]);
  const orphan = ['spawns', ...ORCHESTRATOR_FIELDS].find(
    name => line[name] !== undefined && line[name] !== null,
  );
  if (orphan !== undefined) throw new InputError(`${orphan} requires "orchestrator": true`);
  const id = readOptionalText(line, 'session_id');
  if (id === undefined || id === '') throw new InputError('missing session_id; expected a string');
  const isComplete = readContextMode(line);
  const turns = readTurns(line);
  const early = readIds(line, 'pre_session_spawns');
  return {
    id,
    place,
    turns: turns.map(turn => parseTurn(turn, isComplete)),
    branches: [
      ...(early.length === 0 ? [] : [{ afterTurn: BEFORE_FIRST_TURN, children: early, isFork: false }]),
      ...turns.flatMap((turn, index) => parseBranches(turn, index, turns.length)),
    ],
    isComplete,
  };
}

function readContextMode(line: Fields): boolean {
  const mode = readOptionalText(line, 'context_mode')?.toLowerCase() ?? 'deltas_without_responses';
  if (Object.hasOwn(CONTEXT_MODES, mode)) return CONTEXT_MODES[mode]!;
  throw new InputError(
    `context_mode is ${JSON.stringify(mode)}; expected ${Object.keys(CONTEXT_MODES).join(' or ')}`,
  );
}

function readTurns({ turns }: Fields): readonly Fields[] {
  if (!Array.isArray(turns) || turns.length === 0)
    throw new InputError('turns must be a list of at least one turn');
  const invalid: unknown = turns.find(turn => !isObject(turn));
  if (invalid !== undefined)
    throw new InputError(`invalid turn ${describeValue(invalid)}; expected an object with messages`);
  return turns as Fields[];
}

function parseTurn(turn: Fields, isComplete: boolean): Turn {
  checkFields(turn, TURN_FIELDS);
  const model = readOptionalText(turn, 'model');
  const maxTokens = readOptionalNumber(turn, 'max_tokens');
  if (maxTokens !== undefined && (maxTokens < 1 || !Number.isInteger(maxTokens)))
    throw new InputError(`max_tokens is ${maxTokens}; expected an integer of at least 1`);
  const delayMs = readOptionalNumber(turn, 'delay') || undefined;
  const { isComplete: _, ...message } = createMessagesTurn(
    readMessages(turn),
    readOptionalObjects(turn, 'tools'),
    readOptionalObject(turn, 'extra'),
  );
  return {
    ...message,
    ...(isComplete && { isComplete }),
    ...(model === undefined ? {} : { model }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function parseBranches(turn: Fields, afterTurn: number, turns: number): DagBranch[] {
  const forks = readForks(turn, afterTurn, turns);
  return [
    ...(forks.length === 0 ? [] : [{ afterTurn, children: forks, isFork: true }]),
    ...readSpawns(turn, afterTurn, turns),
  ];
}

/** Reads `forks`: ids, or objects with a `child` and `background`. The conversation ends, except for forks in the background. */
function readForks(turn: Fields, index: number, turns: number): string[] {
  return readItems(turn, 'forks').map(item => {
    const { child, background = false } = typeof item === 'string' ? { child: item } : item;
    if (typeof child !== 'string' || typeof background !== 'boolean')
      throw new InputError(
        `forks contains ${describeValue(item)}; expected an id, or {"child": ID, "background": true}`,
      );
    if (!background && index + 1 < turns)
      throw new InputError(
        `turn ${index} forks ${JSON.stringify(child)} and is not the last turn; set "background": true, or move forks to the last turn`,
      );
    return child;
  });
}

/** Reads `spawns`: ids, which the next turn waits for, or objects with `children` and the turn that waits for them. */
function readSpawns(turn: Fields, afterTurn: number, turns: number): DagBranch[] {
  const items = readItems(turn, 'spawns');
  const ids = items.filter(item => typeof item === 'string');
  const groups = items
    .filter(item => typeof item !== 'string')
    .map(item => {
      checkFields(item, ['children', 'join_at']);
      return { children: readIds(item, 'children'), joinTurn: readJoinTurn(item, afterTurn, turns) };
    });
  const first = ids.length === 0 ? [] : [{ children: ids, joinTurn: undefined }];
  return [...first, ...groups].map(({ children, joinTurn = afterTurn + 1 }) => ({
    afterTurn,
    children,
    isFork: false,
    // Nothing waits for the conversations that the last turn starts.
    ...(joinTurn < turns && { joinTurn }),
  }));
}

function readJoinTurn(item: Fields, afterTurn: number, turns: number): number | undefined {
  const turn = readOptionalNumber(item, 'join_at');
  if (turn === undefined || (Number.isInteger(turn) && turn > afterTurn && turn < turns)) return turn;
  throw new InputError(
    `join_at is ${turn} in turn ${afterTurn}; expected the number of a later turn, of ${turns} turns from 0`,
  );
}

function readItems(fields: Fields, name: string): readonly (string | Fields)[] {
  const items = fields[name] ?? [];
  if (Array.isArray(items) && items.every(item => typeof item === 'string' || isObject(item)))
    return items as (string | Fields)[];
  throw new InputError(`${name} is ${describeValue(items)}; expected a list of ids or objects`);
}

function readIds(fields: Fields, name: string): readonly string[] {
  const ids = fields[name] ?? [];
  const isValid = Array.isArray(ids) && ids.every(id => typeof id === 'string');
  if (!isValid || (name === 'children' && ids.length === 0))
    throw new InputError(`${name} is ${describeValue(ids)}; expected a list of ids`);
  return ids as string[];
}
