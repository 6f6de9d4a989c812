// Replaces `node:fs` in modules that read files of the program.
export { readAsset as readFileSync } from './assets.mjs';
