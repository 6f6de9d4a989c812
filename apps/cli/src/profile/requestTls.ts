import type { RequestTls } from '@org/run';
import { CredentialFileError, readTlsFiles, type TlsCredentials, type TlsFiles } from '@org/scrape';
import { UsageError } from '@org/terminal';
import type { RawOptions } from '@org/terminal/program';
import { readTlsPaths } from '../options/connection.ts';

/** Reads the TLS options and their files. Throws `UsageError` if a file is missing or invalid. */
export function readRequestTls(raw: RawOptions, cwd: string): RequestTls {
  const { ca_file: caFile, cert_file: certFile, key_file: keyFile } = readTlsPaths(raw, cwd);
  const credentials = readFiles({
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
  });
  return { verifyTls: raw.insecure !== true, ...credentials };
}

function readFiles(files: TlsFiles): TlsCredentials {
  try {
    return readTlsFiles(files);
  } catch (error) {
    if (!(error instanceof CredentialFileError)) throw error;
    const { caFile, certFile } = files;
    const option = error.path === caFile ? 'ca-file' : error.path === certFile ? 'cert-file' : 'key-file';
    throw new UsageError(`--${option}: ${error.message}`);
  }
}
