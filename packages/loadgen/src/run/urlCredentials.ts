import { decodePercent } from '@org/core';

/** User and password of a URL, decoded, and the credentials of a Basic Authorization header. */
export interface UrlCredentials {
  readonly user: string;
  readonly password: string;
  /** `user:password` in UTF-8 and Base64 (RFC 7617). */
  readonly basic: string;
}

/** Returns the credentials in a URL; undefined if the URL has no userinfo. */
export function readUrlCredentials({ username, password }: URL): UrlCredentials | undefined {
  if (username === '' && password === '') return undefined;
  const decoded = { user: decodePercent(username), password: decodePercent(password) };
  return { ...decoded, basic: Buffer.from(`${decoded.user}:${decoded.password}`).toString('base64') };
}
