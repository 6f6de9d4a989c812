import { getWallTimeNs, type LivePlan, LiveRun } from '@org/live';
import type { RunEvent } from '@org/run';
import { getTerminalHeight, getTerminalWidth, shouldUseColor } from '@org/terminal';
import { FullScreen, type Log, readKeys } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import colors from 'picocolors';
import type { Canvas } from './canvas.ts';
import { Messages } from './messages.ts';
import { renderFinalScreen, renderScreen, type ScreenContent } from './screen.ts';
import { changeView, FIRST_VIEW, type View } from './view.ts';

/** Time between readings, in milliseconds. */
const READING_MS = 1000;
/** A last reading is added at the end if this time has passed since the previous one, in milliseconds. */
const MIN_READING_MS = 500;

/** The full-screen display of an active run. Log messages are kept while it is open, and written after it. */
export class Dashboard {
  readonly #io: Io;
  readonly #live: LiveRun;
  readonly #title: string;
  readonly #screen: FullScreen;
  readonly #messages = new Messages();
  #view: View = FIRST_VIEW;
  #timer: NodeJS.Timeout | undefined;
  #openedMs = 0;
  #readMs = 0;
  #stopKeys: (() => void) | undefined;
  readonly #resize = (): void => {
    this.#screen.clear();
    this.#show();
  };
  readonly #restore = (): void => this.#close();

  constructor(plan: LivePlan, title: string, io: Io) {
    this.#io = io;
    this.#live = new LiveRun(plan);
    this.#title = title;
    this.#screen = new FullScreen(io);
  }

  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  /** Follows an event of the run. */
  handle(event: RunEvent): void {
    this.#live.handle(event, performance.now());
  }

  open(): void {
    this.#openedMs = performance.now();
    this.#screen.open();
    this.#stopKeys = readKeys(process.stdin, key => this.#press(key));
    this.#timer = setInterval(() => this.#read(), READING_MS);
    this.#timer.unref();
    this.#io.stderr.on('resize', this.#resize);
    process.once('exit', this.#restore);
    this.#read();
  }

  /** Keeps a log message until the dashboard is closed. */
  addMessage(level: keyof Log, text: string): void {
    this.#messages.add({ level, text, seconds: (performance.now() - this.#openedMs) / 1000 });
    this.#show();
  }

  /** Returns to the main screen, and leaves the messages and the last values on it. */
  close(log: Log): void {
    if (!this.isOpen) return;
    if (performance.now() - this.#readMs >= MIN_READING_MS) this.#live.read();
    this.#close();
    this.#messages.flush(log);
    const view: View = { ...this.#view, panel: 'overview', span: 'total' };
    const lines = renderFinalScreen(this.#getContent(), view, this.#getCanvas());
    this.#io.stderr.write(`${lines.join('\n')}\n`);
  }

  #read(): void {
    this.#readMs = performance.now();
    this.#live.read();
    this.#show();
  }

  #show(): void {
    if (!this.isOpen) return;
    const hasKeys = this.#stopKeys !== undefined;
    this.#screen.show(renderScreen(this.#getContent(), this.#view, this.#getCanvas(), hasKeys));
  }

  #press(key: string): void {
    // Ctrl-C sends no signal while keys are read.
    if (key === 'q' || key === 'ctrl+c') process.kill(process.pid, 'SIGINT');
    this.#view = changeView(this.#view, key);
    this.#show();
  }

  #close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#io.stderr.off('resize', this.#resize);
    process.off('exit', this.#restore);
    this.#stopKeys?.();
    this.#stopKeys = undefined;
    this.#screen.close();
  }

  #getContent(): ScreenContent {
    const state = this.#live.describe(performance.now(), getWallTimeNs());
    return { state, messages: this.#messages.items, title: this.#title };
  }

  #getCanvas(): Canvas {
    const { stderr, env } = this.#io;
    return {
      // The last column stays empty, because some terminals wrap after it.
      columns: getTerminalWidth(stderr) - 1,
      rows: getTerminalHeight(stderr),
      paint: colors.createColors(shouldUseColor(stderr, env)),
    };
  }
}
