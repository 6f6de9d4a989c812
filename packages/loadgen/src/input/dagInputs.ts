import { Random } from '@org/core';
import type { Branch, Conversation, Inputs } from './conversation.ts';
import { type DagBranch, type DagLine, parseDagLine } from './dagLine.ts';
import { InputError } from './inputError.ts';
import { checkFirstTurn, readJsonLines } from './inputFile.ts';
import { createFixedInputs } from './payloadInputs.ts';
import type { FileOptions } from './sampling.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Options of {@link openDagInputs}. */
export interface DagOptions extends FileOptions {
  /** Maximum response length of turns without one, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
  /** Maximum delay before a turn, in ms. */
  readonly maxDelayMs?: number;
  /** System message of the conversations that do not continue others. */
  readonly systemPrompt?: string;
}

/**
 * Reads conversations that start others from a JSONL file in AIPerf's format `dag_jsonl`. Turns have `messages`, which are
 * added to the earlier ones; `forks` continue with them and the response in other conversations, and `spawns` start
 * conversations from their beginning. The inputs are the conversations that no other one starts. Rejects with the file
 * and line number if a line is invalid, or if conversations start each other.
 */
export async function openDagInputs(path: string, options: DagOptions = {}): Promise<Inputs> {
  const lines = await readJsonLines(path, (line, number) => parseDagLine(line, `${path}:${number}`));
  const graph = new Graph(lines, options);
  const children = new Set(lines.flatMap(({ branches }) => branches.flatMap(branch => branch.children)));
  const roots = lines.filter(({ id }) => !children.has(id));
  for (const { place, turns } of roots) checkFirstTurn(place, turns[0]!.delayMs);
  // In a cycle, no conversation is the first.
  const resolved = lines.map(line => graph.resolve(line));
  return createFixedInputs(
    path,
    resolved.filter((_, index) => roots.includes(lines[index]!)),
    options,
  );
}

/** Resolves the ids of a file. Each conversation is created once, because several others may start it. */
class Graph {
  readonly #options: DagOptions;
  readonly #random: Random;
  readonly #lines = new Map<string, DagLine>();
  readonly #conversations = new Map<DagLine, Conversation>();
  /** The conversations that are being resolved, in order. */
  readonly #open: DagLine[] = [];
  /** The line that forks a conversation. */
  readonly #forkedBy = new Map<string, DagLine>();

  constructor(lines: readonly DagLine[], options: DagOptions) {
    this.#options = options;
    this.#random = new Random(options.seed ?? 0).fork('output lengths');
    for (const line of lines) {
      if (this.#lines.has(line.id))
        throw new InputError(`${line.place}: session_id ${JSON.stringify(line.id)} is used more than once`);
      this.#lines.set(line.id, line);
    }
    for (const line of lines) for (const branch of line.branches) this.#check(line, branch);
    for (const line of lines) this.#checkSystemMessages(line);
  }

  /** Creates the conversation of a line with all conversations that it starts. */
  resolve(line: DagLine): Conversation {
    const known = this.#conversations.get(line);
    if (known) return known;
    if (this.#open.includes(line)) {
      const cycle = [...this.#open.slice(this.#open.indexOf(line)), line].map(({ id }) => id);
      throw new InputError(`${line.place}: conversations start each other: ${cycle.join(' -> ')}`);
    }
    this.#open.push(line);
    const conversation = this.#create(line);
    this.#open.pop();
    this.#conversations.set(line, conversation);
    return conversation;
  }

  #create(line: DagLine): Conversation {
    const branches = line.branches.map(branch => this.#resolveBranch(branch));
    const { systemPrompt } = this.#options;
    return {
      id: line.id,
      turns: this.#limitTurns(line),
      ...(systemPrompt !== undefined && !this.#forkedBy.has(line.id) && { system: systemPrompt }),
      ...(line.isComplete && { sendsHistory: false }),
      ...(branches.length > 0 && { branches }),
    };
  }

  #resolveBranch({ afterTurn, children, isFork, joinTurn }: DagBranch): Branch {
    return {
      afterTurn,
      conversations: children.map(id => this.resolve(this.#lines.get(id)!)),
      inheritsHistory: isFork,
      ...(joinTurn !== undefined && { joinTurn }),
    };
  }

  /** Draws the response length of each turn that has none, and limits the delays. */
  #limitTurns({ id, turns }: DagLine): Conversation['turns'] {
    const { outputTokens, maxDelayMs = Number.POSITIVE_INFINITY } = this.#options;
    const random = this.#random.fork(id);
    return turns.map(turn => ({
      ...(outputTokens && { maxTokens: drawInteger(outputTokens, 1, random) }),
      ...turn,
      ...(turn.delayMs !== undefined && { delayMs: Math.min(turn.delayMs, maxDelayMs) }),
    }));
  }

  #check(line: DagLine, { afterTurn, children, isFork }: DagBranch): void {
    for (const child of children) {
      const target = this.#lines.get(child);
      const name = JSON.stringify(child);
      if (!target) throw new InputError(`${line.place}: there is no conversation ${name}`);
      if (children.indexOf(child) !== children.lastIndexOf(child))
        throw new InputError(`${line.place}: turn ${afterTurn} starts ${name} twice`);
      if (!isFork) continue;
      if (this.#forkedBy.has(child))
        throw new InputError(`${line.place}: ${name} is forked by several turns; it continues only one`);
      if (target.isComplete || line.isComplete)
        throw new InputError(
          `${line.place}: the fork ${name} cannot continue with context_mode message_array_with_responses, which repeats no messages`,
        );
      this.#forkedBy.set(child, line);
    }
  }

  /** Throws unless system messages are the first ones of a request: chat templates ignore later ones. */
  #checkSystemMessages({ id, place, turns, isComplete }: DagLine): void {
    for (const [turn, { messages = [] }] of turns.entries()) {
      const last = messages.findLastIndex(({ role }) => role === 'system');
      const isAllowed = isComplete ? last <= 0 : last < 0 || (turn === 0 && !this.#forkedBy.has(id));
      if (!isAllowed)
        throw new InputError(
          `${place}: turn ${turn} has a message of the system after other messages; expected it at the start of the first turn`,
        );
    }
  }
}
