import { SecretFile } from './secretFile.ts';

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
  const header = formatBasic(user, password);
  return fixedAuthorization(header, [password, header.slice('Basic '.length)]);
}

/** `Bearer`: a token (RFC 6750). */
export function bearerAuthorization(token: string): Authorization {
  return fixedAuthorization(`Bearer ${token}`, [token]);
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
    return buildBasic(line.slice(0, colon), line.slice(colon + 1));
  });
}

/** `Basic` with a file that holds the password alone. Throws `AccessError`. */
export function passwordFile(user: string, path: string): Authorization {
  return new FileAuthorization(new SecretFile(path, 'password file'), password => buildBasic(user, password));
}

function fixedAuthorization(header: string, secrets: readonly string[]): Authorization {
  return { value: async () => header, renew: async () => false, secrets: () => secrets };
}

interface HeaderValue {
  readonly header: string;
  readonly secrets: readonly string[];
}

function buildBasic(user: string, password: string): HeaderValue {
  const header = formatBasic(user, password);
  return { header, secrets: [password, header.slice('Basic '.length)] };
}

function formatBasic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** A server may repeat in its answer what it was sent a while ago. */
const MAX_REMEMBERED_SECRETS = 16;

/** An authorization whose secret stands in a file and follows it. */
class FileAuthorization implements Authorization {
  readonly #file: SecretFile;
  readonly #build: (line: string) => HeaderValue;
  #current: HeaderValue;
  #line: string;
  #secrets: readonly string[];

  constructor(file: SecretFile, build: (line: string) => HeaderValue) {
    this.#file = file;
    this.#build = build;
    this.#line = file.line;
    this.#current = build(file.line);
    this.#secrets = this.#current.secrets;
  }

  async value(): Promise<string> {
    await this.#file.refresh();
    this.#update();
    return this.#current.header;
  }

  async renew(): Promise<boolean> {
    const before = this.#line;
    await this.#file.reread();
    this.#update();
    return this.#line !== before;
  }

  secrets(): readonly string[] {
    return this.#secrets;
  }

  #update(): void {
    if (this.#file.line === this.#line) return;
    this.#line = this.#file.line;
    this.#current = this.#build(this.#line);
    this.#secrets = [...this.#current.secrets, ...this.#secrets].slice(0, MAX_REMEMBERED_SECRETS);
  }
}
