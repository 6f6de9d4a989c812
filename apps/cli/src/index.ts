export { getProcessIo, type Io } from '@org/terminal/program';
export { main } from './main.ts';
