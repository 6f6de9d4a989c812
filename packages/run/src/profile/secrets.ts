import { isSecretName, SecretRedactor } from '@org/core';
import { type RequestRecord, readUrlCredentials } from '@org/loadgen';
import type { RequestPlan } from '../plan/profilePlan.ts';

/** Minimum length of header values to redact. Shorter values are often not secret, as in `X-Team: blue`. */
const MIN_HEADER_CHARACTERS = 8;

/**
 * Creates a redactor for the secrets in requests. Some servers echo a rejected API key in their error messages.
 */
export function createRequestRedactor({
  apiKey,
  headers,
  extraInputs,
  urls,
  path,
}: Pick<RequestPlan, 'apiKey' | 'headers' | 'extraInputs' | 'urls' | 'path'>): SecretRedactor {
  return new SecretRedactor([
    ...(apiKey === undefined ? [] : [apiKey]),
    ...Object.values(headers).flatMap(listHeaderSecrets),
    ...listFieldSecrets(extraInputs),
    ...urls.flatMap(listUrlSecrets),
    ...(path === undefined ? [] : listUrlSecrets(path)),
  ]);
}

/** The secrets of requests, and the fields that contain them. */
export interface RequestRedaction {
  readonly redactor: SecretRedactor;
  readonly request: Pick<RequestPlan, 'headers' | 'extraInputs'>;
}

/** Redacts the strings in a JSON value, at any depth. */
export function redactStrings(value: unknown, redactor: SecretRedactor): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map(item => redactStrings(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactor.redact(key), redactStrings(item, redactor)]),
  );
}

/** Returns the record with a redacted failure message; the same object if there is nothing to redact. */
export function redactFailure(record: RequestRecord, redactor: SecretRedactor): RequestRecord {
  const { failure } = record;
  if (!failure) return record;
  const message = redactor.redact(failure.message);
  return message === failure.message ? record : { ...record, failure: { ...failure, message } };
}

/** Lists a header value and, for a value such as `Bearer abc`, the part after the scheme. */
function listHeaderSecrets(value: string): string[] {
  return [value, value.replace(/^\S+\s+/, '')].filter(text => text.length >= MIN_HEADER_CHARACTERS);
}

/** Lists the strings in fields with secret names, at any depth. */
function listFieldSecrets(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return isSecretName(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(item => listFieldSecrets(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => listFieldSecrets(item, key));
}

function listUrlSecrets(url: string): string[] {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(absolute)) return [];
  const parsed = new URL(absolute);
  const values = [...parsed.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  const credentials = readUrlCredentials(parsed);
  return [parsed.password, ...(credentials ? [credentials.password, credentials.basic] : []), ...values];
}
