export { CountdownLine, ProgressLine } from './live/liveLine.ts';
export { createLog, type Log } from './live/log.ts';
