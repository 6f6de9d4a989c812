import type { ServerResponse } from 'node:http';
import type { ApiEndpoint } from '../engine/request.ts';
import { ApiError } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';

/** Throws ApiError (400) if an input has more tokens than the model accepts. `param` names the inputs. */
export function checkLengths(live: LiveSimulation, lengths: readonly number[], param: string): void {
  const { maxModelLen } = live.simulation.options;
  const longest = Math.max(...lengths);
  if (longest > maxModelLen)
    throw new ApiError(400, `an input has ${longest} tokens; the maximum is ${maxModelLen}`, param);
}

/**
 * Processes inputs without output, each as one request to the engine. Resolves when all have been processed, or the
 * client has disconnected.
 */
export function processInputs(
  live: LiveSimulation,
  endpoint: ApiEndpoint,
  lengths: readonly number[],
  response: ServerResponse,
): Promise<void> {
  return new Promise(resolve => {
    let pendingInputs = lengths.length;
    const onFinished = (): void => {
      pendingInputs -= 1;
      if (pendingInputs === 0) resolve();
    };
    const submitted = lengths.map(promptTokens => {
      const api = { endpoint, stream: false };
      return live.submit({ promptTokens, outputTokens: 0, finishReason: 'stop', api }, { onFinished });
    });
    response.once('close', () => {
      if (pendingInputs > 0) for (const input of submitted) live.abort(input);
    });
  });
}
