import type { EngineObserver } from '../../engine/observer.ts';
import type { Request } from '../../engine/request.ts';
import { type FamilySeries, getSeries, type Registry } from '../../metrics/registry.ts';
import { type ProfileContext, toSeconds } from '../profile.ts';
import {
  FIRST_TOKEN_BOUNDS,
  IMAGE_TOKEN_BOUNDS,
  INPUT_BOUNDS,
  INTER_TOKEN_BOUNDS,
  MEDIA_BOUNDS,
  OUTPUT_BOUNDS,
  REQUEST_BOUNDS,
} from './bounds.ts';
import { getRankLabels, type Identity } from './identity.ts';

/**
 * Declares the families of requests in Dynamo's frontend. Their series are created with the first request. Labels
 * contain the model in lower case.
 */
export function declareRequests(registry: Registry, context: ProfileContext, identity: Identity): void {
  const families = declareFamilies(registry);
  const outcomes = declareOutcomes(registry);
  const last = declareLastValues(registry);
  const disconnected = registry
    .gauge(
      'dynamo_frontend_disconnected_clients',
      'Clients that disconnected before the response was complete',
    )
    .labels({});
  const model = context.model.toLowerCase();
  let inFlight = 0;
  let queued = 0;
  const getModelSeries = (): FamilySeries<typeof families> => {
    const series = getSeries(families, { model });
    series.active.set(inFlight);
    series.inFlight.set(inFlight);
    series.queued.set(queued);
    return series;
  };
  const getLastSeries = ({ engine }: Request) =>
    getSeries(last, getRankLabels(identity, engine, context.dynamoRouter));
  const observer: EngineObserver = {
    onArrival(request) {
      inFlight += 1;
      queued += 1;
      getModelSeries();
      outcomes.started.labels({ ...getRequestLabels(request), model }).inc();
      getLastSeries(request).input.set(request.spec.promptTokens);
    },
    onToken(request, gapNs) {
      const isFirst = request.generated === 1;
      if (isFirst) queued -= 1;
      const series = getModelSeries();
      series.outputTokens.inc();
      series[isFirst ? 'firstToken' : 'interToken'].observe(toSeconds(gapNs));
      getLastSeries(request)[isFirst ? 'firstToken' : 'interToken'].set(toSeconds(gapNs));
    },
    onFinished(request) {
      inFlight -= 1;
      if (request.generated === 0) queued -= 1;
      const series = getModelSeries();
      const isAborted = request.finishReason === 'abort';
      const outcome = isAborted
        ? { status: 'error', error_type: 'cancelled' }
        : { status: 'success', error_type: '' };
      outcomes.ended.labels({ ...getRequestLabels(request), model, ...outcome }).inc();
      if (isAborted) disconnected.value += 1;
      else observeEnd(request, series);
    },
  };
  for (const engine of context.engines) engine.observe(observer);
}

const PREFIX = 'dynamo_frontend_';

function declareFamilies(registry: Registry) {
  const declareGauge = (suffix: string, help: string) => registry.gauge(PREFIX + suffix, help);
  const declareHistogram = (suffix: string, help: string, bounds: readonly number[]) =>
    registry.histogram(PREFIX + suffix, help, bounds);
  return {
    active: declareGauge('active_requests', 'Requests in progress in the HTTP handler'),
    inFlight: declareGauge('inflight_requests', 'Requests in progress in the engine'),
    queued: declareGauge('queued_requests', 'Requests waiting for their first token'),
    outputTokens: registry.counter(`${PREFIX}output_tokens`, 'Generated tokens'),
    input: declareHistogram('input_sequence_tokens', 'Prompt length in tokens', INPUT_BOUNDS),
    cached: declareHistogram('cached_tokens', 'Prompt tokens found in the prefix cache', INPUT_BOUNDS),
    output: declareHistogram('output_sequence_tokens', 'Response length in tokens', OUTPUT_BOUNDS),
    interToken: declareHistogram(
      'inter_token_latency_seconds',
      'Time between two tokens of a request in seconds',
      INTER_TOKEN_BOUNDS,
    ),
    duration: declareHistogram('request_duration_seconds', 'Request duration in seconds', REQUEST_BOUNDS),
    firstToken: declareHistogram(
      'time_to_first_token_seconds',
      'Time from arrival to the first token in seconds',
      FIRST_TOKEN_BOUNDS,
    ),
    images: declareHistogram('images_per_request', 'Images per request', MEDIA_BOUNDS),
    videos: declareHistogram('videos_per_request', 'Videos per request', MEDIA_BOUNDS),
    audio: declareHistogram('audio_per_request', 'Audio clips per request', MEDIA_BOUNDS),
    imageTokens: declareHistogram(
      'image_tokens_per_request',
      'Tokens of the images of a request that has images',
      IMAGE_TOKEN_BOUNDS,
    ),
  };
}

function declareOutcomes(registry: Registry) {
  return {
    started: registry.counter(`${PREFIX}requests_started`, 'Requests accepted by the HTTP handler'),
    ended: registry.counter(`${PREFIX}requests`, 'Requests by endpoint, kind, outcome and type of error'),
  };
}

function declareLastValues(registry: Registry) {
  const declareGauge = (suffix: string, help: string) =>
    registry.gauge(`${PREFIX}worker_last_${suffix}`, help);
  return {
    input: declareGauge('input_sequence_tokens', 'Prompt length of the last request of a worker'),
    interToken: declareGauge('inter_token_latency_seconds', 'Last inter-token latency of a worker'),
    firstToken: declareGauge('time_to_first_token_seconds', 'Last time to first token of a worker'),
  };
}

function getRequestLabels({ spec }: Request): { endpoint: string; request_type: string } {
  const { endpoint, stream } = spec.api ?? { endpoint: 'chat_completions', stream: true };
  return { endpoint, request_type: stream ? 'stream' : 'unary' };
}

function observeEnd(request: Request, series: FamilySeries<ReturnType<typeof declareFamilies>>): void {
  series.duration.observe(toSeconds(request.finishNs - request.arrivalNs));
  series.input.observe(request.spec.promptTokens);
  series.cached.observe(request.cachedTokens);
  series.output.observe(request.generated);
  for (const media of [series.images, series.videos, series.audio]) media.observe(0);
}
