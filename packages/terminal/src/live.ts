/** Log lines, live lines and full screens on stderr. */

export { FullScreen } from './live/fullScreen.ts';
export { isForeground, type KeyListener, readKeys } from './live/keys.ts';
export { CountdownLine, ProgressLine } from './live/liveLine.ts';
export { createLog, type Log } from './live/log.ts';
