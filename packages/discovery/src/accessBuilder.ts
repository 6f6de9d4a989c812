import {
  type Access,
  type Authorization,
  CredentialFileError,
  createBasicAuthorization,
  createBasicFileAuthorization,
  createBearerAuthorization,
  createBearerFileAuthorization,
  createPasswordFileAuthorization,
  readTlsConfig,
  type TlsConfig,
} from '@org/scrape';
import type { AccessSettings, TlsSettings } from './accessSettings.ts';

/** Thrown if a setting names a missing or invalid file. See `formatMessage` for the text shown to the user. */
export class SettingError extends Error {
  override readonly name: string = 'SettingError';
  /** The path of the setting in the configuration file, such as `['tls', 'ca_file']`. */
  readonly key: readonly string[];
  readonly #path: string;
  readonly #problem: string;

  constructor(key: readonly string[], { path, problem, message }: CredentialFileError) {
    super(message);
    this.key = key;
    this.#path = path;
    this.#problem = problem;
  }

  /** Formats the message `invalid NAME "path": problem`. `name` is the setting or option as the user wrote it. */
  formatMessage(name: string): string {
    return `invalid ${name} ${JSON.stringify(this.#path)}: ${this.#problem}`;
  }
}

/**
 * Builds the access parameters of endpoints from settings. Each credential file is read once, even if several
 * endpoints use it.
 */
export class AccessBuilder {
  readonly #authorizations = new Map<string, Authorization>();
  readonly #tlsConfigs = new Map<string, TlsConfig>();

  /**
   * Builds the access parameters of an endpoint.
   *
   * @throws SettingError if a file is missing or invalid
   */
  build(settings: AccessSettings): Access {
    const { interval, timeout, headers, tls, compressed, limits } = settings;
    const authorization = this.#getAuthorization(settings);
    return {
      ...(interval === undefined ? {} : { intervalMs: interval * 1000 }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      ...(headers ? { headers } : {}),
      ...(authorization ? { authorization } : {}),
      ...(tls ? { tls: this.#readTls(tls) } : {}),
      ...(compressed === undefined ? {} : { compressed }),
      ...(limits ? { limits } : {}),
    };
  }

  #getAuthorization(settings: AccessSettings): Authorization | undefined {
    const { bearer_token: token, bearer_token_file, basic_auth, basic_auth_file } = settings;
    if (token !== undefined) return createBearerAuthorization(token);
    if (bearer_token_file !== undefined)
      return this.#getFileAuthorization(
        ['bearer_token_file'],
        bearer_token_file,
        createBearerFileAuthorization,
      );
    if (basic_auth_file !== undefined)
      return this.#getFileAuthorization(['basic_auth_file'], basic_auth_file, createBasicFileAuthorization);
    if (!basic_auth) return undefined;
    const { username, password, password_file } = basic_auth;
    if (password_file === undefined) return createBasicAuthorization(username, password ?? '');
    return this.#getFileAuthorization(
      ['basic_auth', 'password_file'],
      password_file,
      path => createPasswordFileAuthorization(username, path),
      username,
    );
  }

  #getFileAuthorization(
    key: readonly string[],
    path: string,
    read: (path: string) => Authorization,
    username = '',
  ): Authorization {
    const id = JSON.stringify([...key, path, username]);
    const cached = this.#authorizations.get(id);
    if (cached) return cached;
    const authorization = withSettingErrors(
      () => key,
      () => read(path),
    );
    this.#authorizations.set(id, authorization);
    return authorization;
  }

  #readTls({ ca_file, cert_file, key_file, insecure }: TlsSettings): TlsConfig {
    const id = JSON.stringify([ca_file, cert_file, key_file, insecure]);
    const cached = this.#tlsConfigs.get(id);
    if (cached) return cached;
    const config = withSettingErrors(
      path => ['tls', path === ca_file ? 'ca_file' : path === key_file ? 'key_file' : 'cert_file'],
      () =>
        readTlsConfig({
          ...(ca_file === undefined ? {} : { caFile: ca_file }),
          ...(cert_file === undefined ? {} : { certFile: cert_file }),
          ...(key_file === undefined ? {} : { keyFile: key_file }),
          insecure: insecure === true,
        }),
    );
    this.#tlsConfigs.set(id, config);
    return config;
  }
}

/**
 * Runs `read` and converts a `CredentialFileError` to a `SettingError`. `findKey` returns the setting that
 * names a file.
 */
function withSettingErrors<T>(findKey: (path: string) => readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CredentialFileError)) throw error;
    throw new SettingError(findKey(error.path), error);
  }
}
