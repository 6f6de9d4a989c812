import { decodePercent } from '@org/core';
import { type Authorization, CredentialFileError, createBasicAuthorization } from '@org/scrape';
import { describeRequestError, RequestError, type RequestTls, requestText } from './httpRequest.ts';
import { SourceError } from './sourceError.ts';

/** How a source requests lists of targets from a server. */
export interface JsonRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Supplies the Authorization header, unless the URL contains credentials. */
  readonly authorization?: Authorization;
  readonly tls?: RequestTls;
  readonly timeoutMs: number;
}

/**
 * Requests a URL and parses the JSON of its response. Userinfo of the URL is sent as basic authorization. Throws
 * `SourceError` if the server does not respond with 200 and JSON. The message names no URL, because the name of the source
 * precedes it.
 */
export async function requestJson(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  const { status, text } = await requestOrThrow(request, signal);
  if (status !== 200) throw new SourceError(`the server responded with status ${status}${adviseOn(status)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError('the server did not return JSON; check the URL');
  }
}

async function requestOrThrow(
  { url, headers, authorization: configured, tls, timeoutMs }: JsonRequest,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const { plainUrl, authorization } = await splitUserInfo(url, configured);
  try {
    return await requestText(plainUrl, {
      headers: { ...headers, ...authorization },
      ...(tls ? { tls } : {}),
      signal,
      timeoutMs,
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new SourceError(`cannot request the endpoints: ${describeRequestError(error)}`);
  }
}

/** Returns the URL without userinfo, and the Authorization header of the userinfo, or otherwise the configured header. */
async function splitUserInfo(
  text: string,
  configured: Authorization | undefined,
): Promise<{ readonly plainUrl: string; readonly authorization: Readonly<Record<string, string>> }> {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '')
    return {
      plainUrl: text,
      authorization: configured ? { authorization: await readHeader(configured) } : {},
    };
  url.username = '';
  url.password = '';
  const basic = createBasicAuthorization(decodePercent(username), decodePercent(password));
  return { plainUrl: url.href, authorization: { authorization: await basic.readHeader() } };
}

/** Reads the header. Throws `SourceError` if a file with credentials cannot be read. */
async function readHeader(authorization: Authorization): Promise<string> {
  try {
    return await authorization.readHeader();
  } catch (error) {
    if (!(error instanceof CredentialFileError)) throw error;
    throw new SourceError(error.message);
  }
}

function adviseOn(status: number): string {
  if (status === 401 || status === 403)
    return '; check its credentials: --discovery-bearer-token-file, --discovery-basic-auth-file or --discovery-header, or request of the source in the file';
  if (status === 404) return '; check the path of the URL';
  return status >= 300 && status < 400 ? '; redirects are not followed' : '';
}
