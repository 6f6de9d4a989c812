/** Detection of input files. Loads no other module, because every command that starts runs imports it. */
export { isBurstGptHeader } from './input/burstGptHeader.ts';
