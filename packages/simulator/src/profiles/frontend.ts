import type { EngineObserver } from '../engine/observer.ts';
import type { Request } from '../engine/request.ts';
import type { Registry } from '../metrics/registry.ts';
import { dynamoFirstToken, dynamoInput, dynamoInterToken, dynamoOutput, dynamoRequest } from './buckets.ts';
import { eachFamily } from './each.ts';
import { type ProfileContext, seconds } from './profile.ts';

/** The families of Dynamo's HTTP front end. Its model labels are in lower case, but for those that tell of the worker. */
export function declareFrontend(registry: Registry, context: ProfileContext): void {
  declareModel(registry, context);
  const families = declare(registry);
  const requests = registry.counter('dynamo_frontend_requests', 'Requests by endpoint, kind and outcome');
  const disconnected = registry
    .gauge('dynamo_frontend_disconnected_clients', 'Clients that went away before their answer was complete')
    .labels({});
  const model = context.model.toLowerCase();
  const series = eachFamily(families, { model });
  let inFlight = 0;
  let queued = 0;
  const moved = (): void => {
    series.active.set(inFlight);
    series.inFlight.set(inFlight);
    series.queued.set(queued);
  };
  const observer: EngineObserver = {
    arrived() {
      inFlight += 1;
      queued += 1;
      moved();
    },
    token(request, gapNs) {
      series.outputTokens.inc();
      if (request.generated > 1) {
        series.interToken.observe(seconds(gapNs));
        return;
      }
      series.firstToken.observe(seconds(gapNs));
      queued -= 1;
      moved();
    },
    finished(request) {
      inFlight -= 1;
      if (request.generated === 0) queued -= 1;
      moved();
      const aborted = request.finishReason === 'abort';
      requests.labels({ ...requestLabels(request), model, status: aborted ? 'error' : 'success' }).inc();
      if (aborted) disconnected.value += 1;
      else observeEnd(request, series);
    },
  };
  for (const engine of context.engines) engine.observe(observer);
}

function declare(registry: Registry) {
  const name = (rest: string): string => `dynamo_frontend_${rest}`;
  return {
    active: registry.gauge(name('active_requests'), 'Requests that the HTTP handler is at work on'),
    inFlight: registry.gauge(name('inflight_requests'), 'Requests on their way through the engine'),
    queued: registry.gauge(name('queued_requests'), 'Requests without a first token'),
    outputTokens: registry.counter(name('output_tokens'), 'Tokens generated'),
    input: registry.histogram(name('input_sequence_tokens'), 'Length of prompts in tokens', dynamoInput),
    output: registry.histogram(name('output_sequence_tokens'), 'Length of answers in tokens', dynamoOutput),
    interToken: registry.histogram(
      name('inter_token_latency_seconds'),
      'Between two tokens of a request, in seconds',
      dynamoInterToken,
    ),
    duration: registry.histogram(name('request_duration_seconds'), 'Requests, in seconds', dynamoRequest),
    firstToken: registry.histogram(
      name('time_to_first_token_seconds'),
      'From arrival to the first token, in seconds',
      dynamoFirstToken,
    ),
  };
}

function declareModel(registry: Registry, { engines, model }: ProfileContext): void {
  const { maxModelLen, blockSize, kvBlocks, maxRunning, maxBatchedTokens } = engines[0]!.options;
  const facts = [
    ['context_length', 'Longest request in tokens', maxModelLen],
    ['kv_cache_block_size', 'Tokens in a cache block', blockSize],
    ['total_kv_blocks', 'Cache blocks of a worker', kvBlocks],
    ['max_num_seqs', 'Most requests in a batch', maxRunning],
    ['max_num_batched_tokens', 'Most tokens in a step', maxBatchedTokens],
    ['migration_limit', 'How often a request may move to another worker', 0],
  ] as const;
  for (const [name, help, value] of facts) {
    registry.gauge(`dynamo_frontend_model_${name}`, help).labels({ model }).set(value);
  }
}

function requestLabels({ spec }: Request): { endpoint: string; request_type: string } {
  const { endpoint, stream } = spec.api ?? { endpoint: 'chat_completions', stream: true };
  return { endpoint, request_type: stream ? 'stream' : 'unary' };
}

function observeEnd(
  request: Request,
  series: ReturnType<typeof eachFamily<ReturnType<typeof declare>>>,
): void {
  series.duration.observe(seconds(request.finishNs - request.arrivalNs));
  series.input.observe(request.spec.promptTokens);
  series.output.observe(request.generated);
}
