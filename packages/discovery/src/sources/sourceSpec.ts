import { redactUrl } from '@org/core';
import { findSimilarWord } from '@org/terminal';
import { SourceError } from './sourceError.ts';

/** A source of endpoints as users write it. */
export type SourceSpec =
  | { readonly kind: 'file_sd'; readonly path: string }
  | { readonly kind: 'http_sd' | 'prometheus' | 'dns' | 'srv'; readonly url: string };

export const SOURCE_FORMS = 'file_sd:FILE, http_sd:URL, dns:NAME:PORT, srv:NAME or prometheus:URL';

/** Maximum length of a source in a message. */
const MAX_SHOWN_CHARACTERS = 200;

const KINDS = ['file_sd', 'http_sd', 'dns', 'srv', 'prometheus'] as const;

/**
 * Parses a source such as `file_sd:targets/*.json`. `http://` is prepended to a URL or name if the scheme is missing.
 * Throws `SourceError` if the source is invalid.
 */
export function parseSourceSpec(text: string): SourceSpec {
  const [, prefix = '', value = ''] = /^\s*([^:]*):?\s*(.*?)\s*$/s.exec(text) ?? [];
  const kind = KINDS.find(name => name === prefix.replaceAll('-', '_'));
  if (kind === undefined) throw createSpecError(text, describeKind(prefix));
  if (value === '') throw createSpecError(text, `nothing follows ${kind}:`);
  return kind === 'file_sd' ? { kind, path: value } : { kind, url: parseUrl(text, kind, value) };
}

function parseUrl(text: string, kind: Exclude<SourceSpec['kind'], 'file_sd'>, value: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (/\s/.test(value) || !URL.canParse(url) || !/^https?:/i.test(url))
    throw createSpecError(text, 'not a valid URL or name');
  if (kind === 'dns' && !hasPort(url)) throw createSpecError(text, 'the port is missing');
  if (kind === 'srv' && hasPort(url)) throw createSpecError(text, 'SRV records contain the port');
  return url;
}

/** Reports whether a URL has a port, also if it is the default one, which `URL` omits. */
function hasPort(url: string): boolean {
  return /^[^/]+\/\/[^/?#]*:\d+(?:[/?#]|$)/.test(url);
}

function describeKind(prefix: string): string {
  if (prefix === 'kubernetes') return 'use --discovery kubernetes';
  const similar = findSimilarWord(prefix, KINDS);
  return `unknown kind of source${similar === undefined ? '' : ` (did you mean ${similar}?)`}`;
}

/** Returns a source without the secrets of its URL, for messages. */
export function redactSource(text: string): string {
  const [, prefix = '', value = ''] = /^([a-z_-]*:(?!\/\/))?(.*)$/is.exec(text) ?? [];
  return prefix + (/^[a-z]+:\/\//i.test(value) ? redactUrl(value) : redactUrl(`//${value}`).slice(2));
}

function createSpecError(text: string, problem: string): SourceError {
  const shown = JSON.stringify(redactSource(text).slice(0, MAX_SHOWN_CHARACTERS));
  return new SourceError(`invalid source ${shown}: ${problem}; expected ${SOURCE_FORMS}`);
}
