/** Log lines and live lines on stderr. */

export { CountdownLine, ProgressLine } from './live/liveLine.ts';
export { createLog, type Log } from './live/log.ts';
