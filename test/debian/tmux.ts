import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time to wait for an expected screen, in milliseconds. The machine may be busy. */
const WAIT_MS = 90_000;

/** Reports whether tmux is installed. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** A terminal of a given size, in a separate tmux server. */
export class Tmux {
  readonly #socket = `servelens-test-${process.pid}-${Math.random().toString(36).slice(2)}`;

  constructor(columns: number, rows: number) {
    this.#run('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), 'sh');
  }

  /** Types a line, and presses Enter. */
  type(line: string): void {
    this.#run('send-keys', '-l', line);
    this.press('Enter');
  }

  /** Presses a key, such as `p` or `C-c`. */
  press(key: string): void {
    this.#run('send-keys', key);
  }

  resize(columns: number, rows: number): void {
    this.#run('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Returns the visible screen with `lines` lines of the scrollback before it. */
  capture(lines = 0, ...flags: readonly string[]): string {
    return this.#run('capture-pane', '-p', ...flags, '-S', `-${lines}`);
  }

  /** Reports whether a program fills the terminal. */
  get isFilled(): boolean {
    return this.#run('display-message', '-p', '#{alternate_on}').trim() === '1';
  }

  /** Waits until the screen, with its scrollback, matches. Throws with the last screen if it never does. */
  async waitFor(pattern: RegExp, lines = 0): Promise<string> {
    const endMs = Date.now() + WAIT_MS;
    for (let screen = this.capture(lines); ; screen = this.capture(lines)) {
      if (pattern.test(screen)) return screen;
      if (Date.now() > endMs) throw new Error(`${pattern} did not appear on the screen:\n${screen}`);
      await sleep(100);
    }
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }

  #run(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}
