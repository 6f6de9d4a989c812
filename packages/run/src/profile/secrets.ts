import { credentialsIn, type RequestRecord } from '@org/loadgen';
import { isSecretName } from '@org/scrape';
import { REDACTED } from '../lifecycle/redaction.ts';
import type { AskOptions } from './profilePlan.ts';

/** Shorter ones would be found in other words. */
const LEAST_CHARACTERS = 4;
/** A header may say what is no secret: `X-Team: blue`. */
const LEAST_OF_HEADER = 8;

/** What a run was told in confidence, taken out of what servers say: some repeat the key that they do not like. */
export class Secrets {
  readonly #secrets: readonly string[];

  constructor({
    apiKey,
    headers,
    extraInputs,
    urls,
    path,
  }: Pick<AskOptions, 'apiKey' | 'headers' | 'extraInputs' | 'urls' | 'path'>) {
    const found = [
      ...(apiKey === undefined ? [] : [apiKey]),
      ...Object.values(headers).flatMap(spokenIn),
      ...secretsIn(extraInputs),
      ...urls.flatMap(secretsOfUrl),
      ...(path === undefined ? [] : secretsOfUrl(path)),
    ].filter(secret => secret.length >= LEAST_CHARACTERS);
    // The longest first: one may be part of another.
    this.#secrets = [...new Set(found)].sort((a, b) => b.length - a.length);
  }

  /** The text without them. */
  hidden(text: string): string {
    return this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  }

  /** The record without them in what went wrong; itself where there is nothing to hide. */
  hiddenIn(record: RequestRecord): RequestRecord {
    const { failure } = record;
    if (!failure) return record;
    const message = this.hidden(failure.message);
    return message === failure.message ? record : { ...record, failure: { ...failure, message } };
  }
}

/** A value and, of `Bearer abc`, what comes behind. */
function spokenIn(value: string): string[] {
  return [value, value.replace(/^\S+\s+/, '')].filter(text => text.length >= LEAST_OF_HEADER);
}

/** Texts behind names of secrets, however deep. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return isSecretName(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(one => secretsIn(one, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => secretsIn(one, key));
}

function secretsOfUrl(url: string): string[] {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(whole)) return [];
  const parsed = new URL(whole);
  const { password, searchParams } = parsed;
  const values = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  const sent = credentialsIn(parsed);
  return [password, ...(sent ? [sent.password, sent.basic] : []), ...values]
    .filter(text => text !== '')
    .flatMap(text => [text, encodeURIComponent(text)]);
}
