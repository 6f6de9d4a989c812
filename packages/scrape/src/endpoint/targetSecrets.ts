import { isSecretName, listSecretForms, SecretRedactor } from '@org/core';
import { createBasicAuthorization } from '../credentials/authorization.ts';
import type { Target } from './target.ts';

const ASTERISK = 42;
/**
 * Minimum length of a secret that is masked in a metrics page. A shorter secret may be a word that
 * legitimately occurs in the page.
 */
const MIN_CHARACTERS_IN_BODY = 16;
/** Minimum length of a masked secret that contains at least two of: letters, digits, other characters. */
const MIN_MIXED_CHARACTERS_IN_BODY = 8;

/**
 * Removes the secrets of one target from its server's responses: a server may echo credentials in an error
 * page, a header, or even in its metrics.
 */
export class TargetSecrets {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Returns the message with all secrets and header values redacted. */
  redactText(message: string): string {
    const headerValues = Object.values(this.#target.access?.headers ?? {});
    const secrets = [...this.#listCredentials(), ...headerValues, ...headerValues.map(getLastWord)];
    return new SecretRedactor(secrets).redact(message);
  }

  /** Overwrites long secrets in a body with asterisks, in place, without changing its length. */
  maskBody(bytes: Uint8Array): void {
    for (const secret of this.#listMaskedForms()) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const length = Buffer.byteLength(secret);
      for (let offset = buffer.indexOf(secret); offset >= 0; offset = buffer.indexOf(secret, offset + length))
        buffer.fill(ASTERISK, offset, offset + length);
    }
  }

  #listMaskedForms(): string[] {
    const secrets = this.#listCredentials().filter(
      secret => secret.length >= MIN_CHARACTERS_IN_BODY || isMixed(secret),
    );
    return listSecretForms(secrets, MIN_MIXED_CHARACTERS_IN_BODY);
  }

  /**
   * Returns the secrets used for authorization, and the values of headers and query parameters with
   * secret names.
   */
  #listCredentials(): string[] {
    const { access, credentials, fetchUrl } = this.#target;
    const urlAuthorization = credentials && createBasicAuthorization(credentials.user, credentials.password);
    const secrets = [
      ...(access?.authorization?.listSecrets() ?? []),
      ...(urlAuthorization?.listSecrets() ?? []),
    ];
    for (const [name, value] of Object.entries(access?.headers ?? {}))
      if (isSecretName(name)) secrets.push(value, getLastWord(value));
    for (const [name, value] of fetchUrl === undefined ? [] : new URL(fetchUrl).searchParams)
      if (isSecretName(name)) secrets.push(value);
    return secrets;
  }
}

/** Reports whether a text contains at least two of: letters, digits, other characters. */
function isMixed(text: string): boolean {
  return [/[a-z]/i, /\d/, /[^a-z\d]/i].filter(pattern => pattern.test(text)).length > 1;
}

/** Returns the last word of a header value: the token of `Bearer TOKEN`, which a server may echo alone. */
function getLastWord(value: string): string {
  return value.slice(value.lastIndexOf(' ') + 1);
}
