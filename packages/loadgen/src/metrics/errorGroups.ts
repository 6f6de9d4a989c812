import type { Failure } from '../failure.ts';

/** A kind of failure and its number of occurrences. */
export interface ErrorGroup {
  readonly failure: Failure;
  readonly count: number;
}

/** Maximum number of groups, to bound memory. Further failures are counted by type and code only. */
const MAX_GROUPS = 100;

/** Counts failures by type, code and message. Messages that differ only in ids and numbers are counted together. */
export class ErrorGroups {
  readonly #groups = new Map<string, { failure: Failure; count: number }>();

  add(failure: Failure, count = 1): void {
    const exactKey = toKey(failure, maskNumbers(failure.message));
    const isNew = !this.#groups.has(exactKey);
    const isFull = isNew && this.#groups.size >= MAX_GROUPS;
    const key = isFull ? toKey(failure, '') : exactKey;
    const group = this.#groups.get(key);
    if (group) group.count += count;
    else
      this.#groups.set(key, {
        failure: isFull ? { ...failure, message: '(other messages)' } : failure,
        count,
      });
  }

  /** Returns the groups, most frequent first. */
  toList(): ErrorGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}

function toKey({ type, code }: Failure, message: string): string {
  return JSON.stringify([type, code ?? null, message]);
}

/** Replaces long hexadecimal ids and numbers, which differ between requests. */
function maskNumbers(message: string): string {
  return message.replace(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b|\d+(?:\.\d+)?/gi, '#');
}
