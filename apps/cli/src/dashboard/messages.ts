import { formatDuration } from '@org/core';
import { toPrintable } from '@org/terminal';
import { truncateEnd } from '@org/terminal/layout';
import type { Log } from '@org/terminal/live';
import type { Canvas } from './canvas.ts';

/** Maximum number of messages that are kept until the dashboard ends. */
const MAX_MESSAGES = 1000;

/** A log message, with the seconds since the dashboard was opened. */
export interface Message {
  readonly level: keyof Log;
  readonly text: string;
  readonly seconds: number;
}

/** The log messages of a run while the dashboard covers the screen. */
export class Messages {
  readonly #items: Message[] = [];
  #omitted = 0;

  get items(): readonly Message[] {
    return this.#items;
  }

  /** Adds a message, and drops the oldest one if there are too many. */
  add(message: Message): void {
    this.#items.push(message);
    if (this.#items.length <= MAX_MESSAGES) return;
    this.#items.shift();
    this.#omitted += 1;
  }

  /** Writes all messages to a log, and removes them. */
  flush(log: Log): void {
    if (this.#omitted > 0) log.warning(`omitted ${this.#omitted} earlier messages`);
    this.#omitted = 0;
    for (const { level, text } of this.#items.splice(0)) log[level](text);
  }
}

/** Renders the last messages, one per line, oldest first. */
export function renderMessages(
  messages: readonly Message[],
  height: number,
  { columns, paint }: Canvas,
): string[] {
  return messages.slice(-height).map(({ level, text, seconds }) => {
    const mark = level === 'info' ? '·' : '!';
    const line = truncateEnd(`${mark} ${formatDuration(Math.round(seconds))}  ${toPrintable(text)}`, columns);
    if (level === 'error') return paint.red(line);
    return level === 'warning' ? paint.yellow(line) : paint.dim(line);
  });
}
