import type { Failure } from '../failure.ts';

/** One kind of failure and how often it was met. */
export interface ErrorGroup {
  readonly failure: Failure;
  readonly count: number;
}

/** Groups that are told apart; what comes beyond is counted by its type and code, so that a hostile server fills no memory. */
const MOST_GROUPS = 100;

/** Counts failures by type, code and message. Ids and numbers in a message do not make it another one. */
export class ErrorGroups {
  readonly #groups = new Map<string, { failure: Failure; count: number }>();

  add(failure: Failure, count = 1): void {
    const own = keyOf(failure, shapeOf(failure.message));
    const isNew = !this.#groups.has(own);
    const isFull = isNew && this.#groups.size >= MOST_GROUPS;
    const key = isFull ? keyOf(failure, '') : own;
    const group = this.#groups.get(key);
    if (group) group.count += count;
    else
      this.#groups.set(key, {
        failure: isFull ? { ...failure, message: 'further messages' } : failure,
        count,
      });
  }

  /** The most frequent first. */
  groups(): ErrorGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}

function keyOf({ type, code }: Failure, message: string): string {
  return JSON.stringify([type, code ?? null, message]);
}

/** Long hexadecimal names and numbers differ from request to request. */
function shapeOf(message: string): string {
  return message.replace(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b|\d+(?:\.\d+)?/gi, '#');
}
