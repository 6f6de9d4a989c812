import { basicAuthorization } from '../credentials/authorization.ts';
import { isSecretName } from '../credentials/secretNames.ts';
import type { Target } from './target.ts';

/** What stands in a secret's place in a message. */
const MASKED = '<redacted>';
const STAR = 42;
/** Shorter ones are words: to take them out of messages would make these unreadable, and would tell what they are. */
const SHORTEST_IN_TEXT = 4;
/**
 * What is taken out of metrics must be nothing but our secret: a password may be a word that stands there by right. So it has
 * 16 characters, or 8 that are not of one kind: letters, digits, others.
 */
const SHORTEST_IN_BODY = 8;
const SHORTEST_WORD_IN_BODY = 16;

/**
 * Keeps the secrets of one target out of everything that is said of it: a server may repeat what it was sent, in a body that
 * is no exposition, in a header, even in its metrics.
 */
export class SecretMask {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** A message that may be shown and exported. */
  text(message: string): string {
    let shown = message;
    for (const secret of this.#inText()) shown = withoutEnd(shown.replaceAll(secret, MASKED), secret);
    return shown;
  }

  /** Puts stars over long secrets in a body; its length stays. */
  body(bytes: Uint8Array): void {
    for (const secret of this.#inBodies()) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const length = Buffer.byteLength(secret);
      for (let at = buffer.indexOf(secret); at >= 0; at = buffer.indexOf(secret, at + length))
        buffer.fill(STAR, at, at + length);
    }
  }

  #inText(): string[] {
    const { access } = this.#target;
    const values = Object.values(access?.headers ?? {});
    return longestFirst([...this.#credentials(), ...values, ...values.map(lastWord)], SHORTEST_IN_TEXT);
  }

  #inBodies(): string[] {
    const secrets = this.#credentials().filter(
      secret => secret.length >= SHORTEST_WORD_IN_BODY || isMixed(secret),
    );
    return longestFirst(secrets, SHORTEST_IN_BODY);
  }

  /** What is a secret by what it is, or by its name. */
  #credentials(): string[] {
    const { access, credentials, fetchUrl } = this.#target;
    const own = credentials && basicAuthorization(credentials.user, credentials.password);
    const secrets = [...(access?.authorization?.secrets() ?? []), ...(own?.secrets() ?? [])];
    for (const [name, value] of Object.entries(access?.headers ?? {}))
      if (isSecretName(name)) secrets.push(value, lastWord(value));
    for (const [name, value] of fetchUrl === undefined ? [] : new URL(fetchUrl).searchParams)
      if (isSecretName(name)) secrets.push(value);
    return secrets;
  }
}

/** Whether a text has characters of more than one kind. */
function isMixed(text: string): boolean {
  return [/[a-z]/i, /\d/, /[^a-z\d]/i].filter(kind => kind.test(text)).length > 1;
}

/** `Bearer x`: a server may repeat the x alone. */
function lastWord(value: string): string {
  return value.slice(value.lastIndexOf(' ') + 1);
}

/** With what each looks like inside of a URL or of a JSON text. Longer ones first: one may hold another. */
function longestFirst(secrets: readonly string[], least: number): string[] {
  const forms = secrets.flatMap(secret => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(forms)].filter(form => form.length >= least).sort((a, b) => b.length - a.length);
}

/** A quotation that was cut may end within a secret. */
function withoutEnd(message: string, secret: string): string {
  const cut = message.indexOf('…');
  if (cut < 0) return message;
  for (let length = secret.length - 1; length >= SHORTEST_IN_TEXT; length--)
    if (message.endsWith(secret.slice(0, length), cut))
      return message.slice(0, cut - length) + MASKED + message.slice(cut);
  return message;
}
