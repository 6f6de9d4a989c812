import { isSecretName, listSecretForms, SecretRedactor } from '@org/core';
import { createBasicAuthorization } from '../credentials/authorization.ts';
import type { Target } from './target.ts';

const ASTERISK = 42;
/**
 * Only unmistakable secrets are masked in metrics, because a password may be a word that legitimately occurs
 * there: they need 16 characters, or 8 that mix letters, digits and other characters.
 */
const MIN_MIXED_CHARACTERS_IN_BODY = 8;
const MIN_CHARACTERS_IN_BODY = 16;

/**
 * Removes the secrets of one target from everything that its server returns: a server may echo credentials in
 * an error page, a header, or even in its metrics.
 */
export class TargetSecrets {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Returns a message that may be shown and exported. */
  redactText(message: string): string {
    const values = Object.values(this.#target.access?.headers ?? {});
    const secrets = [...this.#listCredentials(), ...values, ...values.map(getLastWord)];
    return new SecretRedactor(secrets).redact(message);
  }

  /** Overwrites long secrets in a body with asterisks, in place, without changing its length. */
  maskBody(bytes: Uint8Array): void {
    for (const secret of this.#listMaskedForms()) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const length = Buffer.byteLength(secret);
      for (let at = buffer.indexOf(secret); at >= 0; at = buffer.indexOf(secret, at + length))
        buffer.fill(ASTERISK, at, at + length);
    }
  }

  #listMaskedForms(): string[] {
    const secrets = this.#listCredentials().filter(
      secret => secret.length >= MIN_CHARACTERS_IN_BODY || isMixed(secret),
    );
    return listSecretForms(secrets, MIN_MIXED_CHARACTERS_IN_BODY);
  }

  /** Lists the values that are secrets by their use or their name. */
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

/** Reports whether a text mixes letters, digits and other characters. */
function isMixed(text: string): boolean {
  return [/[a-z]/i, /\d/, /[^a-z\d]/i].filter(kind => kind.test(text)).length > 1;
}

/** Returns the part of a value such as `Bearer x` that a server may echo alone. */
function getLastWord(value: string): string {
  return value.slice(value.lastIndexOf(' ') + 1);
}
