import { isSecretName, REDACTED } from '@org/core';
import type { ProfileRecord, RawRecord, RawResponse } from '@org/formats';
import type { RawExchange, RequestRecord } from '@org/loadgen';
import { redactFields } from '../plan/endpointConfig.ts';
import { type RequestRedaction, redactStrings } from './secrets.ts';

/**
 * Converts a request to a line of profile_export_raw.jsonl, without secrets. `line` is its line of
 * profile_export.jsonl, whose metadata is written without our additions. Returns undefined if the request was not kept.
 */
export function toRawRecord(
  { raw, startNs, status }: RequestRecord,
  line: ProfileRecord,
  redaction: RequestRedaction,
): RawRecord | undefined {
  if (!raw) return undefined;
  const {
    client_tokens: _tokens,
    stopped_early: _stopped,
    stream_finished: _finished,
    url_index: _url,
    ...metadata
  } = line.metadata;
  return {
    metadata,
    start_perf_ns: BigInt(Math.round(startNs)),
    request_headers: redactHeaders(raw.headers, redaction),
    ...(status === undefined ? {} : { status }),
    responses: toResponses(raw, redaction.redactor),
    ...(line.error ? { error: line.error } : {}),
    payload: redactPayload(raw.payload, redaction),
  };
}

/** Redacts the headers of the user, and headers whose names suggest a secret. */
function redactHeaders(headers: readonly string[], { request }: RequestRedaction): Record<string, string> {
  const ownNames = new Set(Object.keys(request.headers).map(name => name.toLowerCase()));
  const isSecret = (name: string): boolean => ownNames.has(name.toLowerCase()) || isSecretName(name);
  const redacted: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    redacted.push([name, isSecret(name) ? REDACTED : headers[i + 1]!]);
  }
  return Object.fromEntries(redacted);
}

/** Parses a request body, and redacts its secrets. */
function redactPayload(payload: string, { redactor, request }: RequestRedaction): unknown {
  const fields = redactStrings(JSON.parse(payload), redactor);
  return { ...(fields as object), ...redactFields(request.extraInputs) };
}

function toResponses(
  { contentType, messages }: RawExchange,
  redactor: RequestRedaction['redactor'],
): RawResponse[] {
  const isStream = contentType?.toLowerCase().includes('event-stream');
  return messages.map(({ atNs, event, text }) => {
    const perf_ns = BigInt(Math.round(atNs));
    const redacted = redactor.redact(text);
    if (!isStream) return { perf_ns, text: redacted, content_type: contentType ?? null };
    const name = event === undefined ? [] : [{ name: 'event', value: event }];
    return { perf_ns, packets: [...name, { name: 'data', value: redacted }] };
  });
}
