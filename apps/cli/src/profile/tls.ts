import { resolve } from 'node:path';
import type { RequestTls } from '@org/run';
import { CredentialFileError, readTlsFiles, type TlsCredentials, type TlsFiles } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { type RawOptions, textValue } from '../optionvalue.ts';

/** Reads --ca-file, --cert-file, --key-file and --insecure. Throws `UsageError` for files that cannot be used. */
export function readTls(raw: RawOptions, cwd: string): RequestTls {
  const file = (name: string): string | undefined => {
    const path = textValue(raw, name, 'the path of a file');
    return path === undefined ? undefined : resolve(cwd, path);
  };
  const [caFile, certFile, keyFile] = [file('ca-file'), file('cert-file'), file('key-file')];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [there, missing] = keyFile === undefined ? ['cert', 'key'] : ['key', 'cert'];
    throw new UsageError(`--${there}-file is given without --${missing}-file; expected both`);
  }
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
