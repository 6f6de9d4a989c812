import { redactCommand } from '@org/core';
import type { MarkRecord } from '@org/record';
import type { Log } from '../lifecycle/log.ts';
import type { MarkAnswer, MarkRequest } from './protocol.ts';

/** Notes that a run keeps: somebody's loop must not fill the memory, nor take the place of an edge. */
const MOST_NOTES = 10_000;

/** Keeps the marks of a run: in its exports and its journal, and told on the terminal. */
export class MarkKeeper {
  readonly #keep: (mark: MarkRecord) => void;
  readonly #log: Log;
  #notes = 0;

  constructor(keep: (mark: MarkRecord) => void, log: Log) {
    this.#keep = keep;
    this.#log = log;
  }

  /** Counts one more note; the answer to one too many. Edges are few by themselves. */
  noteRefusal(): MarkAnswer | undefined {
    if (this.#notes >= MOST_NOTES)
      return refused(`the run has ${MOST_NOTES} notes, which is all that it keeps`);
    this.#notes += 1;
    return undefined;
  }

  /** `atNs`: when it was said, ns since 1970. */
  keep({ mark, text, who }: MarkRequest, atNs: bigint): void {
    const kept = { time_ns: atNs, kind: mark, text: withoutSecrets(text), who: withoutSecrets(who) };
    this.#keep(kept);
    this.#log.info(`mark of ${kept.who}: ${kept.text}`);
  }
}

/** A note may repeat a command line. */
function withoutSecrets(text: string): string {
  return redactCommand(['sh', '-c', text]).at(-1)!;
}

export function accepted(atNs: bigint, what: string): MarkAnswer {
  const iso = new Date(Number(atNs / 1_000_000n)).toISOString();
  return { ok: true, time_ns: String(atNs), message: `${what} at ${iso}` };
}

export function refused(error: string): MarkAnswer {
  return { ok: false, error };
}
