/** The `servelens` command, to be run in the current process. */
export { getProcessIo, type Io } from '@org/terminal/program';
export { main } from './main.ts';
