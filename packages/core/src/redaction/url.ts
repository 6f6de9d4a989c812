import { isSecretName } from './secretNames.ts';

/** Replacement for a secret in the query of a URL. Unlike `<redacted>`, it requires no percent-encoding. */
export const REDACTED_IN_URL = 'REDACTED';

/**
 * Userinfo with an unescaped slash, as in `http://me:pass/word@host`: the text after the colon is not a port,
 * so it belongs to a password.
 */
const UNESCAPED_USERINFO = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)[^/?#@[]*:(?!\d*(?:[/?#]|$)).*@/is;

/**
 * Returns a URL without its userinfo, and with the values of secret query parameters replaced by `REDACTED`.
 */
export function redactUrl(url: string): string {
  return redactQuery(url)
    .replace(/^((?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?)[^/?#]*@/i, '$1')
    .replace(UNESCAPED_USERINFO, '$1');
}

/** Replaces the values of secret query parameters by `REDACTED`. */
export function redactQuery(url: string): string {
  return url.replace(/([?&])([^=&#\s]+)=([^&#\s]+)/g, (pair: string, separator: string, name: string) =>
    isSecretName(decodePercent(name)) ? `${separator}${name}=${REDACTED_IN_URL}` : pair,
  );
}

/** Decodes percent escapes. Invalid escapes are kept, because passwords are often pasted unescaped. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
