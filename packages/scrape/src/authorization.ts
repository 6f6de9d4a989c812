import { SecretFile } from './secretfile.ts';

/** What an Authorization header says, now and after the secret behind it has changed. */
export interface Authorization {
  /** The header's value. */
  value(): Promise<string>;
  /** Looks for another secret, since the server refused this one. Returns whether there is one. */
  renew(): Promise<boolean>;
  /** Everything that must never be shown, in every form in which it is sent. */
  secrets(): readonly string[];
}

/** `Basic`: user and password (RFC 7617, in UTF-8). */
export function basicAuthorization(user: string, password: string): Authorization {
  const header = basicHeader(user, password);
  return fixed(header, [password, header.slice('Basic '.length)]);
}

/** `Bearer`: a token (RFC 6750). */
export function bearerAuthorization(token: string): Authorization {
  return fixed(`Bearer ${token}`, [token]);
}

/** `Bearer` with the token that a file holds. Throws `AccessError`. */
export function bearerFile(path: string): Authorization {
  const check = (line: string): string | undefined =>
    /[^\x21-\x7e]/.test(line)
      ? 'has a blank or another character that no token has; expected a token alone'
      : undefined;
  return new FileAuthorization(new SecretFile(path, 'bearer token file', check), token => ({
    header: `Bearer ${token}`,
    secrets: [token],
  }));
}

/** `Basic` with a file that holds `user:password`. Throws `AccessError`. */
export function basicFile(path: string): Authorization {
  const check = (line: string): string | undefined =>
    line.includes(':') ? undefined : 'has no colon; expected user:password';
  return new FileAuthorization(new SecretFile(path, 'basic auth file', check), line => {
    const colon = line.indexOf(':');
    return basicOf(line.slice(0, colon), line.slice(colon + 1));
  });
}

/** `Basic` with a file that holds the password alone. Throws `AccessError`. */
export function passwordFile(user: string, path: string): Authorization {
  return new FileAuthorization(new SecretFile(path, 'password file'), password => basicOf(user, password));
}

function fixed(header: string, secrets: readonly string[]): Authorization {
  return { value: async () => header, renew: async () => false, secrets: () => secrets };
}

interface Spoken {
  readonly header: string;
  readonly secrets: readonly string[];
}

function basicOf(user: string, password: string): Spoken {
  const header = basicHeader(user, password);
  return { header, secrets: [password, header.slice('Basic '.length)] };
}

function basicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** A server may repeat in its answer what it was sent a while ago. */
const REMEMBERED = 16;

/** An authorization whose secret stands in a file and follows it. */
class FileAuthorization implements Authorization {
  readonly #file: SecretFile;
  readonly #speak: (line: string) => Spoken;
  #spoken: Spoken;
  #line: string;
  #secrets: readonly string[];

  constructor(file: SecretFile, speak: (line: string) => Spoken) {
    this.#file = file;
    this.#speak = speak;
    this.#line = file.line;
    this.#spoken = speak(file.line);
    this.#secrets = this.#spoken.secrets;
  }

  async value(): Promise<string> {
    await this.#file.refresh();
    this.#follow();
    return this.#spoken.header;
  }

  async renew(): Promise<boolean> {
    const before = this.#line;
    await this.#file.reread();
    this.#follow();
    return this.#line !== before;
  }

  secrets(): readonly string[] {
    return this.#secrets;
  }

  #follow(): void {
    if (this.#file.line === this.#line) return;
    this.#line = this.#file.line;
    this.#spoken = this.#speak(this.#line);
    this.#secrets = [...this.#spoken.secrets, ...this.#secrets].slice(0, REMEMBERED);
  }
}
