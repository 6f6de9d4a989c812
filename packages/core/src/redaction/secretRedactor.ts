/** Replacement for a secret in a text. */
export const REDACTED = '<redacted>';

/**
 * Minimum length of a secret, in characters. Shorter secrets may occur within ordinary words; replacing them
 * there would garble messages and reveal the secret.
 */
const MIN_SECRET_LENGTH = 4;

/** Replaces known secrets in texts, because servers may echo credentials in error messages and response bodies. */
export class SecretRedactor {
  readonly #forms: readonly string[];

  constructor(secrets: Iterable<string>) {
    this.#forms = listSecretForms(secrets, MIN_SECRET_LENGTH);
  }

  /** Returns the text with every known secret replaced by `<redacted>`. */
  redact(text: string): string {
    return this.#forms.reduce(
      (redacted, form) => redactTruncated(redacted.replaceAll(form, REDACTED), form),
      text,
    );
  }
}

/**
 * Returns each secret as written, URL-encoded and JSON-escaped, without forms shorter than `minCharacters`.
 * Longer forms come first, because one may contain another.
 */
export function listSecretForms(secrets: Iterable<string>, minCharacters: number): string[] {
  const forms = [...secrets].flatMap(secret => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(forms)].filter(form => form.length >= minCharacters).sort((a, b) => b.length - a.length);
}

/** Redacts a truncated secret: the start of the secret, directly before the `…` that ends a truncated quotation. */
function redactTruncated(message: string, secret: string): string {
  const end = message.indexOf('…');
  if (end < 0) return message;
  for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH; length--)
    if (message.endsWith(secret.slice(0, length), end))
      return message.slice(0, end - length) + REDACTED + message.slice(end);
  return message;
}
