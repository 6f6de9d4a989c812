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
import type { AccessSettings, TlsSettings } from './settings.ts';

/** A file that a setting names is missing or wrong. `key` is the setting: a path in the configuration file. */
export class SettingError extends Error {
  override readonly name: string = 'SettingError';
  readonly key: readonly string[];

  constructor(key: readonly string[], message: string) {
    super(message);
    this.key = key;
  }
}

/**
 * Makes accesses out of settings. Endpoints that name the same files share what was read from them: a token is read again
 * once for all.
 */
export class AccessBuilder {
  readonly #authorizations = new Map<string, Authorization>();
  readonly #tlsConfigs = new Map<string, TlsConfig>();

  /** Throws `SettingError` when a file is missing or wrong. */
  build(settings: AccessSettings): Access {
    const { interval, timeout, headers, tls, compressed, limits } = settings;
    const authorization = this.#authorization(settings);
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

  #authorization(settings: AccessSettings): Authorization | undefined {
    const { bearer_token: token, bearer_token_file, basic_auth, basic_auth_file } = settings;
    if (token !== undefined) return createBearerAuthorization(token);
    if (bearer_token_file !== undefined)
      return this.#shared(['bearer_token_file'], bearer_token_file, createBearerFileAuthorization);
    if (basic_auth_file !== undefined)
      return this.#shared(['basic_auth_file'], basic_auth_file, createBasicFileAuthorization);
    if (!basic_auth) return undefined;
    const { username, password, password_file } = basic_auth;
    if (password_file === undefined) return createBasicAuthorization(username, password ?? '');
    return this.#shared(
      ['basic_auth', 'password_file'],
      password_file,
      path => createPasswordFileAuthorization(username, path),
      username,
    );
  }

  #shared(
    key: readonly string[],
    path: string,
    read: (path: string) => Authorization,
    also = '',
  ): Authorization {
    const id = JSON.stringify([...key, path, also]);
    const known = this.#authorizations.get(id);
    if (known) return known;
    const made = checked(
      () => key,
      () => read(path),
    );
    this.#authorizations.set(id, made);
    return made;
  }

  #readTls({ ca_file, cert_file, key_file, insecure }: TlsSettings): TlsConfig {
    const id = JSON.stringify([ca_file, cert_file, key_file, insecure]);
    const known = this.#tlsConfigs.get(id);
    if (known) return known;
    const made = checked(
      path => ['tls', path === ca_file ? 'ca_file' : path === key_file ? 'key_file' : 'cert_file'],
      () =>
        readTlsConfig({
          ...(ca_file === undefined ? {} : { caFile: ca_file }),
          ...(cert_file === undefined ? {} : { certFile: cert_file }),
          ...(key_file === undefined ? {} : { keyFile: key_file }),
          insecure: insecure === true,
        }),
    );
    this.#tlsConfigs.set(id, made);
    return made;
  }
}

/** `key` tells the setting by the file that is wrong. */
function checked<T>(key: (path: string) => readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CredentialFileError)) throw error;
    throw new SettingError(key(error.path), error.message);
  }
}
