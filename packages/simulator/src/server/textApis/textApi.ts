import type { ApiEndpoint, Request, RequestSpec } from '../../engine/request.ts';
import type { CompletionParameters } from '../completionParameters.ts';

/** An API that generates text: parses its requests, and formats its responses. */
export interface TextApi {
  /** Name in the metrics. */
  readonly endpoint: ApiEndpoint;
  readonly idPrefix: string;
  /** Parses the parameters of a request. Throws ApiError (400) for invalid requests. */
  parse(body: Readonly<Record<string, unknown>>): CompletionParameters;
  /** Formats the JSON body of a complete response with the generated text. */
  formatResponse(generation: Generation, request: Request, text: string): object;
  createStream(generation: Generation): StreamFormat;
}

/** A request and the constant fields of its response. */
export interface Generation {
  readonly parameters: CompletionParameters;
  readonly spec: RequestSpec;
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** Determines the generated text. */
  readonly salt: number;
}

/** Formats the events of a streamed response. */
export interface StreamFormat {
  /** Formats the events before the first token. */
  formatStart(request: Request): string;
  /** Formats the event of a token. */
  formatToken(text: string, index: number): string;
  /** Formats the events after the last token. */
  formatEnd(request: Request): string;
}

/** Formats an event with a JSON payload. `type` is the name of the event. */
export function formatEvent(payload: object, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(payload)}\n\n`;
}
