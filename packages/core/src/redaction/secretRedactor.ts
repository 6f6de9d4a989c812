/** Replaces a secret in texts. */
export const REDACTED = '<redacted>';

/** Shorter secrets are ordinary words: replacing them would garble messages and reveal the secret. */
const MIN_CHARACTERS = 4;

/** Replaces known secrets in texts: a server may echo the credentials it was sent in an error or a body. */
export class SecretRedactor {
  readonly #forms: readonly string[];

  constructor(secrets: Iterable<string>) {
    this.#forms = listSecretForms(secrets, MIN_CHARACTERS);
  }

  /** Returns the text with every known secret replaced by `<redacted>`. */
  redact(text: string): string {
    return this.#forms.reduce((shown, form) => redactTruncated(shown.replaceAll(form, REDACTED), form), text);
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

/** Redacts the start of a secret at the end of a truncated quotation, which is marked by `…`. */
function redactTruncated(message: string, secret: string): string {
  const end = message.indexOf('…');
  if (end < 0) return message;
  for (let length = secret.length - 1; length >= MIN_CHARACTERS; length--)
    if (message.endsWith(secret.slice(0, length), end))
      return message.slice(0, end - length) + REDACTED + message.slice(end);
  return message;
}
