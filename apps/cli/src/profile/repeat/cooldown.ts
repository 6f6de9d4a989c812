import { formatDuration } from '@org/core';
import type { Log } from '@org/run/lifecycle';
import { pause } from '@org/run/lifecycle';
import { getTerminalWidth } from '@org/terminal';
import type { Io } from '../../io.ts';
import { LIVE_MS, liveLine } from '../../progressline.ts';
import { terminalLine } from '../../terminalline.ts';

/** Waits between two runs and says how long it still takes: counting down on a terminal, in one line elsewhere. */
export async function coolDown(
  seconds: number,
  next: string,
  { io, log, live, interrupted }: { io: Io; log: Log; live: boolean; interrupted: AbortSignal },
): Promise<void> {
  if (!live) {
    log.info(`cooling down ${formatDuration(seconds)} before ${next}`);
    await pause(seconds, interrupted);
    return;
  }
  const line = terminalLine(io);
  const endMs = performance.now() + seconds * 1000;
  const show = (): void => {
    const left = Math.max(0, Math.ceil((endMs - performance.now()) / 1000));
    line(
      liveLine(
        [`cooling down ${formatDuration(left)}`, `then ${next}`],
        getTerminalWidth(io.stderr),
        text => text,
      ),
    );
  };
  show();
  const timer = setInterval(show, LIVE_MS);
  try {
    await pause(seconds, interrupted);
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
