import { redactCommand } from '@org/core';
import type { MarkRecord } from '@org/record';
import type { MarkRequest, MarkResponse } from './protocol.ts';

/** Maximum number of notes in a run, so that a client in a loop cannot exhaust memory. */
const MAX_NOTES = 10_000;

/** Records the marks of a run, without secrets. Limits the number of notes. */
export class MarkRecorder {
  readonly #record: (mark: MarkRecord) => void;
  #notes = 0;

  constructor(record: (mark: MarkRecord) => void) {
    this.#record = record;
  }

  /** Records a note, unless the run has too many. */
  addNote(request: MarkRequest, atNs: bigint): MarkResponse {
    if (this.#notes >= MAX_NOTES) return rejectMark(`the run already has the maximum of ${MAX_NOTES} notes`);
    this.#notes += 1;
    this.add(request, atNs);
    return acceptMark(atNs, 'noted');
  }

  /** Records a mark received at `atNs`, in nanoseconds since 1970. */
  add({ mark, text, sender }: MarkRequest, atNs: bigint): void {
    this.#record({ time_ns: atNs, kind: mark, text: redact(text), sender: redact(sender) });
  }
}

/** Redacts secrets in a text, which may contain a command line. */
function redact(text: string): string {
  return redactCommand(['sh', '-c', text]).at(-1)!;
}

/** Creates the response to an accepted mark, such as `noted at 2026-11-21T08:15:30.000Z`. */
export function acceptMark(atNs: bigint, action: string): MarkResponse {
  const iso = new Date(Number(atNs / 1_000_000n)).toISOString();
  return { ok: true, time_ns: String(atNs), message: `${action} at ${iso}` };
}

/** Creates the response to a rejected mark. */
export function rejectMark(error: string): MarkResponse {
  return { ok: false, error };
}
