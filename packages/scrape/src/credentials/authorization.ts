import { SecretFile } from './secretFile.ts';

/** Supplies an Authorization header, which changes when its secret is rotated. */
export interface Authorization {
  /** Returns the value of the header. */
  readHeader(): Promise<string>;
  /** Reads the secret again after the server rejected it. Returns whether it has changed. */
  renew(): Promise<boolean>;
  /** Returns all secrets that must never be shown, in every form that is sent. */
  listSecrets(): readonly string[];
}

/** Returns a `Basic` authorization (RFC 7617, in UTF-8). */
export function createBasicAuthorization(user: string, password: string): Authorization {
  const header = formatBasic(user, password);
  return createFixedAuthorization(header, [password, header.slice('Basic '.length)]);
}

/** Returns a `Bearer` authorization (RFC 6750). */
export function createBearerAuthorization(token: string): Authorization {
  return createFixedAuthorization(`Bearer ${token}`, [token]);
}

/** Returns a `Bearer` authorization with the token in a file. Throws `CredentialFileError`. */
export function createBearerFileAuthorization(path: string): Authorization {
  const check = (line: string): string | undefined =>
    /[^\x21-\x7e]/.test(line)
      ? 'contains whitespace or another invalid character; expected only a token'
      : undefined;
  return new FileAuthorization(new SecretFile(path, 'bearer token file', check), token => ({
    header: `Bearer ${token}`,
    secrets: [token],
  }));
}

/**
 * Returns a `Basic` authorization with a file that contains `user:password`. Throws `CredentialFileError`.
 */
export function createBasicFileAuthorization(path: string): Authorization {
  const check = (line: string): string | undefined =>
    line.includes(':') ? undefined : 'contains no colon; expected user:password';
  return new FileAuthorization(new SecretFile(path, 'basic auth file', check), line => {
    const colon = line.indexOf(':');
    return buildBasic(line.slice(0, colon), line.slice(colon + 1));
  });
}

/**
 * Returns a `Basic` authorization with a file that contains only the password. Throws `CredentialFileError`.
 */
export function createPasswordFileAuthorization(user: string, path: string): Authorization {
  return new FileAuthorization(new SecretFile(path, 'password file'), password => buildBasic(user, password));
}

function createFixedAuthorization(header: string, secrets: readonly string[]): Authorization {
  return { readHeader: async () => header, renew: async () => false, listSecrets: () => secrets };
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

/** Number of past secrets to redact: a response may echo one that was rotated since. */
const MAX_REMEMBERED_SECRETS = 16;

/** An authorization whose secret is read from a file and follows its changes. */
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

  async readHeader(): Promise<string> {
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

  listSecrets(): readonly string[] {
    return this.#secrets;
  }

  #update(): void {
    if (this.#file.line === this.#line) return;
    this.#line = this.#file.line;
    this.#current = this.#build(this.#line);
    this.#secrets = [...this.#current.secrets, ...this.#secrets].slice(0, MAX_REMEMBERED_SECRETS);
  }
}
