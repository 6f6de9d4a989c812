/** The names of protocols, as in `--push PROTOCOL=URL`. */
export const PROTOCOL_NAMES = ['otlp', 'otlp-json', 'remote-write'] as const;

export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

/** A receiver, as the user specified it. */
export interface PushTarget {
  readonly protocol: ProtocolName;
  /** URL that requests are sent to. It may contain a user and a password. */
  readonly url: string;
  /** Headers of every request, by their name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Removes the secrets of the receiver from a message. */
  readonly redact: (text: string) => string;
}

/** The paths of the protocols, which are added to a URL without a path. */
const DEFAULT_PATHS: Readonly<Record<ProtocolName, string>> = {
  otlp: '/v1/metrics',
  'otlp-json': '/v1/metrics',
  'remote-write': '/api/v1/write',
};

/** Adds the path of the protocol to a URL without a path. Another path is used as it is. */
export function addDefaultPath(protocol: ProtocolName, url: string): string {
  const parsed = new URL(url);
  if (parsed.pathname !== '/') return url;
  parsed.pathname = DEFAULT_PATHS[protocol];
  return parsed.href;
}
