import { SecretFile } from './secretFile.ts';

/**
 * Supplies the Authorization header of requests. Its value may change during a run if the secret is rotated.
 */
export interface Authorization {
  /** Returns the current value of the header. */
  readHeader(): Promise<string>;
  /** Rereads the secret after the server has rejected it. Returns whether the secret has changed. */
  renew(): Promise<boolean>;
  /** Returns all current and recent secrets, both plain and as encoded in the header, for redaction. */
  listSecrets(): readonly string[];
}

/** Returns a `Basic` authorization (RFC 7617), with user and password encoded in UTF-8. */
export function createBasicAuthorization(user: string, password: string): Authorization {
  const header = formatBasicHeader(user, password);
  return createFixedAuthorization(header, [password, header.slice('Basic '.length)]);
}

/** Returns a `Bearer` authorization (RFC 6750). */
export function createBearerAuthorization(token: string): Authorization {
  return createFixedAuthorization(`Bearer ${token}`, [token]);
}

/**
 * Returns a `Bearer` authorization that reads its token from a file. Throws `CredentialFileError` if the file
 * cannot be read or is invalid.
 */
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
 * Returns a `Basic` authorization that reads `user:password` from a file. Throws `CredentialFileError` if the
 * file cannot be read or is invalid.
 */
export function createBasicFileAuthorization(path: string): Authorization {
  const check = (line: string): string | undefined =>
    line.includes(':') ? undefined : 'contains no colon; expected user:password';
  return new FileAuthorization(new SecretFile(path, 'basic auth file', check), line => {
    const colon = line.indexOf(':');
    return buildBasicHeader(line.slice(0, colon), line.slice(colon + 1));
  });
}

/**
 * Returns a `Basic` authorization that reads only the password from a file. Throws `CredentialFileError` if
 * the file cannot be read or is invalid.
 */
export function createPasswordFileAuthorization(user: string, path: string): Authorization {
  return new FileAuthorization(new SecretFile(path, 'password file'), password =>
    buildBasicHeader(user, password),
  );
}

function createFixedAuthorization(header: string, secrets: readonly string[]): Authorization {
  return { readHeader: async () => header, renew: async () => false, listSecrets: () => secrets };
}

interface HeaderValue {
  readonly header: string;
  readonly secrets: readonly string[];
}

function buildBasicHeader(user: string, password: string): HeaderValue {
  const header = formatBasicHeader(user, password);
  return { header, secrets: [password, header.slice('Basic '.length)] };
}

function formatBasicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Maximum number of secrets to redact, including rotated ones, which a late response may still echo. */
const MAX_REMEMBERED_SECRETS = 16;

/** An authorization that reads its secret from a file and picks up changes of the file. */
class FileAuthorization implements Authorization {
  readonly #file: SecretFile;
  readonly #buildHeader: (line: string) => HeaderValue;
  #current: HeaderValue;
  #line: string;
  #secrets: readonly string[];

  constructor(file: SecretFile, buildHeader: (line: string) => HeaderValue) {
    this.#file = file;
    this.#buildHeader = buildHeader;
    this.#line = file.line;
    this.#current = buildHeader(file.line);
    this.#secrets = this.#current.secrets;
  }

  async readHeader(): Promise<string> {
    await this.#file.refresh();
    this.#update();
    return this.#current.header;
  }

  async renew(): Promise<boolean> {
    const previousLine = this.#line;
    await this.#file.reread();
    this.#update();
    return this.#line !== previousLine;
  }

  listSecrets(): readonly string[] {
    return this.#secrets;
  }

  #update(): void {
    if (this.#file.line === this.#line) return;
    this.#line = this.#file.line;
    this.#current = this.#buildHeader(this.#line);
    this.#secrets = [...this.#current.secrets, ...this.#secrets].slice(0, MAX_REMEMBERED_SECRETS);
  }
}
