import ansiEscapes from 'ansi-escapes';
import type { Io } from '../program/command.ts';

/**
 * Shows lines on the alternate screen of a terminal. Writes only the lines that have changed, and only while the
 * terminal takes them: a slow or stopped terminal skips updates and never blocks the process.
 */
export class FullScreen {
  readonly #stream: Io['stderr'];
  #shown: readonly string[] = [];
  #isOpen = false;
  #isWriting = false;

  constructor({ stderr }: Pick<Io, 'stderr'>) {
    this.#stream = stderr;
  }

  open(): void {
    this.#isOpen = true;
    this.#stream.write(ansiEscapes.enterAlternativeScreen + ansiEscapes.cursorHide);
  }

  /** Shows lines. Does nothing while an earlier update is being written. */
  show(lines: readonly string[]): void {
    if (!this.#isOpen || this.#isWriting) return;
    const update = formatUpdate(this.#shown, lines);
    if (update === '') return;
    this.#isWriting = true;
    this.#shown = lines;
    this.#stream.write(update, error => {
      this.#isWriting = false;
      // Part of the update may be missing.
      if (error) this.clear();
    });
  }

  /** Shows all lines again with the next update, such as after a change of the size. */
  clear(): void {
    this.#shown = [];
  }

  /** Returns to the main screen. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stream.write(ansiEscapes.cursorShow + ansiEscapes.exitAlternativeScreen);
  }
}

/** Formats the changes from the shown lines to others. Without shown lines, the screen is cleared. */
export function formatUpdate(shown: readonly string[], lines: readonly string[]): string {
  const clear = shown.length === 0 ? ansiEscapes.clearViewport : '';
  const count = Math.max(shown.length, lines.length);
  const changes = Array.from({ length: count }, (_, row) => {
    const line = lines[row] ?? '';
    if (line === (shown[row] ?? '')) return '';
    return ansiEscapes.cursorTo(0, row) + line + ansiEscapes.eraseEndLine;
  });
  return clear + changes.join('');
}
