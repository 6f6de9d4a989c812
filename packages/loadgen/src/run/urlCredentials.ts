/** Name and password in a URL, as they are meant and as `Authorization` has them. */
export interface UrlCredentials {
  readonly user: string;
  readonly password: string;
  /** Of `Basic` (RFC 7617, in UTF-8). */
  readonly basic: string;
}

/** What a URL says of who asks; undefined when it says nothing. */
export function credentialsIn({ username, password }: URL): UrlCredentials | undefined {
  if (username === '' && password === '') return undefined;
  const own = { user: meant(username), password: meant(password) };
  return { ...own, basic: Buffer.from(`${own.user}:${own.password}`).toString('base64') };
}

/** What its escapes stand for, run by run: a percent sign that begins none is one, and no reason to stop. */
function meant(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
