import type { Engine } from '../engine/engine.ts';
import type { Step } from '../engine/step.ts';
import type { Page, ProfileContext } from './profile.ts';

/** Maximum number of iterations that the server keeps until they are read. */
const MAX_UNREAD_ITERATIONS = 1000;

/**
 * Creates the page of TensorRT-LLM's iteration statistics: a JSON array of the iterations since the previous
 * read. Reads are destructive. `hasContentType` is whether to send a content type.
 */
export function createIterationPage(context: ProfileContext, hasContentType: boolean): Page {
  let iterations: object[] = [];
  for (const engine of context.engines) {
    engine.observe({
      onStep(step) {
        iterations.push(formatIteration(engine, step, context.getTimeS(step.endNs)));
        if (iterations.length > 2 * MAX_UNREAD_ITERATIONS)
          iterations = iterations.slice(-MAX_UNREAD_ITERATIONS);
      },
    });
  }
  return {
    name: 'iterations',
    path: '/metrics',
    port: 'main',
    format: 'json',
    supportsGzip: false,
    read() {
      const body = JSON.stringify(iterations.slice(-MAX_UNREAD_ITERATIONS));
      iterations = [];
      return { body, contentType: hasContentType ? 'application/json' : undefined };
    },
  };
}

/** Formats one iteration as a JSON object with the server's fields. */
function formatIteration(engine: Engine, step: Readonly<Step>, nowS: number): object {
  const { maxRunning, maxBatchedTokens, kvBlocks, blockSize } = engine.options;
  const requests = step.prefillRequests + step.decodeRequests;
  return {
    cpuMemUsage: 68172,
    gpuMemUsage: 36_100_000_000,
    inflightBatchingStats: {
      avgNumDecodedTokensPerIter: step.decodeRequests > 0 ? 1.0 : 0.0,
      microBatchId: 0,
      numContextRequests: step.prefillRequests,
      numCtxTokens: step.prefillTokens,
      numGenRequests: step.decodeRequests,
      numPausedRequests: step.preempted,
      numScheduledRequests: requests,
    },
    iter: step.index,
    iterLatencyMS: (step.endNs - step.startNs) / 1e6,
    kvCacheStats: {
      freeNumBlocks: kvBlocks - engine.pool.used,
      maxNumBlocks: kvBlocks,
      tokensPerBlock: blockSize,
      usedNumBlocks: engine.pool.used,
    },
    maxBatchSizeRuntime: maxRunning,
    maxBatchSizeStatic: maxRunning,
    maxNumActiveRequests: maxRunning,
    maxNumTokensRuntime: maxBatchedTokens,
    maxNumTokensStatic: maxBatchedTokens,
    numActiveRequests: engine.running,
    numCompletedRequests: step.finished,
    numNewActiveRequests: step.admitted,
    numQueuedRequests: engine.waiting,
    pinnedMemUsage: 2_950_000_000,
    staticBatchingStats: null,
    timestamp: formatTimestamp(nowS),
  };
}

/** Formats a Unix time in seconds as `MM-DD-YYYY hh:mm:ss.uuuuuu`. */
function formatTimestamp(nowS: number): string {
  const microseconds = Math.round((nowS % 1) * 1e6) % 1e6;
  const [date, time] = new Date(Math.floor(nowS) * 1000).toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-');
  return `${month}-${day}-${year} ${time.slice(0, 8)}.${String(microseconds).padStart(6, '0')}`;
}
