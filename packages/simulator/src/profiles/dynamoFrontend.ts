import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import { getSeries, type Registry } from '../metrics/registry.ts';
import {
  DYNAMO_FIRST_TOKEN_BOUNDS,
  DYNAMO_INPUT_BOUNDS,
  DYNAMO_INTER_TOKEN_BOUNDS,
  DYNAMO_OUTPUT_BOUNDS,
  DYNAMO_REQUEST_BOUNDS,
} from './bucketBounds.ts';
import { type ProfileContext, toSeconds } from './profile.ts';

/**
 * Declares the families of Dynamo's HTTP frontend. Model labels are lowercase, except on the metrics of the
 * model configuration.
 */
export function declareFrontend(registry: Registry, context: ProfileContext): void {
  declareModel(registry, context);
  const families = declareFamilies(registry);
  const requests = registry.counter('dynamo_frontend_requests', 'Requests by endpoint, kind and outcome');
  const disconnected = registry
    .gauge(
      'dynamo_frontend_disconnected_clients',
      'Clients that disconnected before the response was complete',
    )
    .labels({});
  const model = context.model.toLowerCase();
  const series = getSeries(families, { model });
  let inFlight = 0;
  let queued = 0;
  const updateGauges = (): void => {
    series.active.set(inFlight);
    series.inFlight.set(inFlight);
    series.queued.set(queued);
  };
  const observer: EngineObserver = {
    onArrival() {
      inFlight += 1;
      queued += 1;
      updateGauges();
    },
    onToken(request, gapNs) {
      series.outputTokens.inc();
      if (request.generated > 1) {
        series.interToken.observe(toSeconds(gapNs));
        return;
      }
      series.firstToken.observe(toSeconds(gapNs));
      queued -= 1;
      updateGauges();
    },
    onFinished(request) {
      inFlight -= 1;
      if (request.generated === 0) queued -= 1;
      updateGauges();
      const isAborted = request.finishReason === 'abort';
      requests.labels({ ...getRequestLabels(request), model, status: isAborted ? 'error' : 'success' }).inc();
      if (isAborted) disconnected.value += 1;
      else observeEnd(request, series);
    },
  };
  for (const engine of context.engines) engine.observe(observer);
}

function declareFamilies(registry: Registry) {
  const addPrefix = (suffix: string): string => `dynamo_frontend_${suffix}`;
  return {
    active: registry.gauge(addPrefix('active_requests'), 'Requests in progress in the HTTP handler'),
    inFlight: registry.gauge(addPrefix('inflight_requests'), 'Requests in progress in the engine'),
    queued: registry.gauge(addPrefix('queued_requests'), 'Requests waiting for their first token'),
    outputTokens: registry.counter(addPrefix('output_tokens'), 'Generated tokens'),
    input: registry.histogram(
      addPrefix('input_sequence_tokens'),
      'Prompt length in tokens',
      DYNAMO_INPUT_BOUNDS,
    ),
    output: registry.histogram(
      addPrefix('output_sequence_tokens'),
      'Response length in tokens',
      DYNAMO_OUTPUT_BOUNDS,
    ),
    interToken: registry.histogram(
      addPrefix('inter_token_latency_seconds'),
      'Time between two tokens of a request in seconds',
      DYNAMO_INTER_TOKEN_BOUNDS,
    ),
    duration: registry.histogram(
      addPrefix('request_duration_seconds'),
      'Request duration in seconds',
      DYNAMO_REQUEST_BOUNDS,
    ),
    firstToken: registry.histogram(
      addPrefix('time_to_first_token_seconds'),
      'Time from arrival to the first token in seconds',
      DYNAMO_FIRST_TOKEN_BOUNDS,
    ),
  };
}

function declareModel(registry: Registry, { engines, model }: ProfileContext): void {
  const { maxModelLen, blockSize, kvBlocks, maxRunning, maxBatchedTokens } = engines[0]!.options;
  const settings = [
    ['context_length', 'Context length in tokens', maxModelLen],
    ['kv_cache_block_size', 'Tokens per cache block', blockSize],
    ['total_kv_blocks', 'Cache blocks per worker', kvBlocks],
    ['max_num_seqs', 'Maximum number of requests per batch', maxRunning],
    ['max_num_batched_tokens', 'Maximum number of tokens per step', maxBatchedTokens],
    ['migration_limit', 'Maximum number of migrations per request', 0],
  ] as const;
  for (const [name, help, value] of settings) {
    registry.gauge(`dynamo_frontend_model_${name}`, help).labels({ model }).set(value);
  }
}

function getRequestLabels({ spec }: Request): { endpoint: string; request_type: string } {
  const { endpoint, stream } = spec.api ?? { endpoint: 'chat_completions', stream: true };
  return { endpoint, request_type: stream ? 'stream' : 'unary' };
}

function observeEnd(
  request: Request,
  series: ReturnType<typeof getSeries<ReturnType<typeof declareFamilies>>>,
): void {
  series.duration.observe(toSeconds(request.finishNs - request.arrivalNs));
  series.input.observe(request.spec.promptTokens);
  series.output.observe(request.generated);
}
