import { ENDPOINTS, type EndpointName, type ModelSelection, parseExtraInputs } from '@org/loadgen';
import type { RequestPlan, RequestTls } from '@org/run';
import {
  CredentialFileError,
  MAX_URL_CHARACTERS,
  readTlsFiles,
  type TlsCredentials,
  type TlsFiles,
} from '@org/scrape';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  omitUndefined,
  type RawOptions,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';
import { hasAuthorizationHeader, readHeaders, readTlsPaths } from '../options/connection.ts';
import { DEFAULT_URL } from '../options/endpoint.ts';
import { readChunkUsage, readCustomFormat } from './customFormat.ts';
import { withRangeErrors } from './rangeErrors.ts';

/** Reads the options for requests to inference servers. Throws `UsageError` if an option is invalid. */
export function readRequestPlan(raw: RawOptions, cwd: string): RequestPlan {
  const models = readModels(raw);
  const modelSelection = raw['model-selection-strategy'] as ModelSelection | undefined;
  const endpoint = raw['endpoint-type'] as EndpointName;
  const extraInputs = readExtraInputs(raw, models);
  const apiKey = readApiKey(raw);
  const headers = readRequestHeaders(raw);
  const urls = readUrls(raw);
  const keyOption = apiKey === undefined ? '--header Authorization' : '--api-key';
  if ((apiKey !== undefined || hasAuthorizationHeader(headers)) && urls.some(hasCredentials))
    throw new UsageError(`cannot use both ${keyOption} and a user or password in --url`);
  return {
    ...omitUndefined({
      modelSelection,
      sessionHeader: readSessionHeader(raw),
      path: readText(raw, 'endpoint', 'a path such as /v1/chat/completions'),
      apiKey,
      timeoutSeconds: readSeconds(raw, 'request-timeout-seconds', 0.001),
    }),
    models,
    urls,
    endpoint,
    streaming: raw.streaming === true,
    headers,
    ...readCustomFormat(endpoint, extraInputs, cwd),
    ...(readChunkUsage(raw, endpoint) ? { chunkUsage: true } : {}),
    legacyMaxTokens: raw['use-legacy-max-tokens'] === true,
    connectionReuse: raw['connection-reuse-strategy'] as RequestPlan['connectionReuse'],
    tls: readRequestTls(raw, cwd),
  };
}

/** Headers that identify a request and its conversation. */
const ID_HEADERS = ['x-request-id', 'x-correlation-id', 'x-session-affinity'];

/** Reads --session-header. Throws `UsageError` if it is not the name of a header. */
function readSessionHeader(raw: RawOptions): string | undefined {
  const name = readText(raw, 'session-header', 'the name of a header, such as X-Session-ID');
  if (name !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw createOptionError('session-header', name, 'the name of a header, such as X-Session-ID');
  return name;
}

/**
 * A comma between two headers: the name of a header and a colon follow. In `a,http://b`, the colon is part of a URL; in
 * `Mon,09:00` and `10.0.0.1, fe80::1`, of a time and of an address.
 */
const HEADER_COMMA = /,(?=\s*[A-Za-z][\w-]*\s*:(?!\/\/|:))/;

/**
 * Reads --header. As in AIPerf, a value may have several headers with commas between them. Throws `UsageError` if a header
 * is invalid or differs for each request.
 */
function readRequestHeaders(raw: RawOptions): Readonly<Record<string, string>> {
  const values = readList(raw, 'header');
  const unquoted = values.slice(0, -1).find(text => /^[\w-]+:\s*$/.test(text));
  if (unquoted !== undefined)
    throw new UsageError(
      `invalid --header: ${unquoted} has no value; quote headers with spaces: 'NAME: VALUE'`,
    );
  const lines = values.flatMap(text =>
    text.trimStart().startsWith('{') ? [text] : text.split(HEADER_COMMA).map(line => line.trim()),
  );
  const headers = readHeaders(lines.length === 0 ? {} : { header: lines }) ?? {};
  const ids = [...ID_HEADERS, readSessionHeader(raw)?.toLowerCase()];
  const id = Object.keys(headers).find(name => ids.includes(name.toLowerCase()));
  if (id !== undefined)
    throw new UsageError(`--header cannot set ${id}, which is different for each request`);
  return headers;
}

/** Reads --extra-inputs. Throws `UsageError` if it is invalid, or if it replaces a field that other options set. */
function readExtraInputs(raw: RawOptions, models: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = withRangeErrors('invalid --extra-inputs ', () =>
    parseExtraInputs(readList(raw, 'extra-inputs')),
  );
  const { promptFields } = ENDPOINTS[raw['endpoint-type'] as EndpointName];
  const prompt = promptFields.find(name => Object.hasOwn(fields, name));
  if (prompt !== undefined) throw new UsageError(`--extra-inputs cannot set ${prompt}; use --input-file`);
  if (Object.hasOwn(fields, 'model') && (models.length > 1 || fields.model !== models[0]))
    throw new UsageError('--extra-inputs cannot set model; use --model');
  if (Object.hasOwn(fields, 'stream') && fields.stream !== (raw.streaming === true))
    throw new UsageError('--extra-inputs cannot set stream; use --streaming');
  return fields;
}

/** Reads --model, without duplicates. Throws `UsageError` if there is no name. */
function readModels(raw: RawOptions): string[] {
  const models = readList(raw, 'model');
  if (models.length === 0) throw new UsageError('missing --model; expected a model name');
  if (models.some(model => model.trim() === ''))
    throw createOptionError('model', models.join(','), 'a model name');
  return [...new Set(models.map(model => model.trim()))];
}

/** Reads --api-key. As in AIPerf, an empty key is ignored. Throws `UsageError` if the key is invalid; the message does not contain the key. */
function readApiKey(raw: RawOptions): string | undefined {
  if (raw['api-key'] === '') return undefined;
  const key = readText(raw, 'api-key', 'a key');
  if (key !== undefined && !/^[\t -~\x80-\xff]*$/.test(key))
    throw new UsageError(
      'invalid --api-key: contains characters that HTTP headers do not allow; expected one line of Latin-1 text',
    );
  return key;
}

function readUrls(raw: RawOptions): string[] {
  const urls = readList(raw, 'url');
  const long = urls.find(url => url.length > MAX_URL_CHARACTERS);
  if (long !== undefined) throw createOptionError('url', long, `at most ${MAX_URL_CHARACTERS} characters`);
  const invalid = urls.find(url => !isUrl(url));
  if (invalid !== undefined)
    throw createOptionError('url', invalid, 'host:port or http(s)://host[:port][/path]');
  return urls.length > 0 ? urls : [DEFAULT_URL];
}

function isUrl(text: string): boolean {
  const url = addScheme(text);
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function hasCredentials(text: string): boolean {
  const { username, password } = new URL(addScheme(text));
  return username !== '' || password !== '';
}

function addScheme(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/** Reads the TLS options and the files that they name. Throws `UsageError` if an option or a file is invalid. */
export function readRequestTls(raw: RawOptions, cwd: string): RequestTls {
  const { ca_file: caFile, cert_file: certFile, key_file: keyFile } = readTlsPaths(raw, cwd);
  const credentials = loadTlsFiles({
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
  });
  return { verifyTls: raw.insecure !== true, ...credentials };
}

function loadTlsFiles(files: TlsFiles): TlsCredentials {
  try {
    return readTlsFiles(files);
  } catch (error) {
    if (!(error instanceof CredentialFileError)) throw error;
    const { caFile, certFile } = files;
    const option = error.path === caFile ? 'ca-file' : error.path === certFile ? 'cert-file' : 'key-file';
    throw new UsageError(`invalid --${option} ${JSON.stringify(error.path)}: ${error.problem}`);
  }
}
