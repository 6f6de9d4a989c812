import { timingSafeEqual } from 'node:crypto';

/** The parts of an HTTP request that decide whether it is answered. */
export interface AccessRequest {
  readonly method: string | undefined;
  readonly host: string | undefined;
  readonly path: string;
}

/** The response to a request: a resource of the page, or a refusal. */
export type Access =
  | { readonly resource: Resource }
  | { readonly status: number; readonly message: string; readonly location?: string };

export type Resource = 'page' | 'events' | 'report';

/** The resources by their path after the token. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  '': 'page',
  events: 'events',
  'report.html': 'report',
};

/**
 * Decides about a request. A page of another site that reaches this server under its own host name (DNS rebinding) is
 * refused, and so is everybody who does not know the token.
 */
export function checkAccess({ method, host, path }: AccessRequest, port: number, token: string): Access {
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return { status: 403, message: `This page is only served at 127.0.0.1:${port}.` };
  const [, given = '', ...rest] = path.split('?', 1)[0]!.split('/');
  if (!isEqual(given, token))
    return { status: 403, message: 'The token in the address is missing or wrong; use the printed address.' };
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, message: 'This page is read-only: only GET and HEAD are answered.' };
  if (rest.length === 0) return { status: 308, message: 'See the page.', location: `/${token}/` };
  const name = rest.join('/');
  const resource = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  return resource ? { resource } : { status: 404, message: 'There is nothing at this address.' };
}

/** Compares texts in a time that does not depend on where they differ. */
function isEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
