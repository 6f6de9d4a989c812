// Replaces `node:worker_threads` in modules that start threads.
import { Worker as NodeWorker } from 'node:worker_threads';
import { readAsset } from './assets.mjs';

export class Worker extends NodeWorker {
  constructor(module, options) {
    const source = Buffer.from(readAsset(module)).toString('base64');
    super(new URL(`data:text/javascript;base64,${source}`), options);
  }
}
