import { decodePercent, redactUrl } from '@org/core';
import { Otlp } from './protocols/otlp.ts';
import type { Protocol } from './protocols/protocol.ts';
import { RemoteWrite } from './protocols/remoteWrite.ts';
import { HttpClient } from './send/httpClient.ts';
import { type Delivery, Sender } from './send/sender.ts';
import type { ProtocolName, PushTarget } from './target.ts';

const PROTOCOLS: Readonly<Record<ProtocolName, () => Protocol>> = {
  otlp: () => new Otlp('protobuf'),
  'otlp-json': () => new Otlp('json'),
  'remote-write': () => new RemoteWrite(),
};

/** A receiver with its protocol and its sender. */
export class Destination {
  readonly sender: Sender;
  readonly #target: PushTarget;
  readonly #protocol: Protocol;

  constructor(target: PushTarget, version: string) {
    this.#target = target;
    this.#protocol = PROTOCOLS[target.protocol]();
    const { url, headers } = separateCredentials(target);
    const client = new HttpClient(url, { 'user-agent': `servelens/${version}`, ...headers });
    this.sender = new Sender(this.#protocol, client);
  }

  /** Describes what was sent, without secrets. */
  describe({ lastProblem, ...counts }: Delivery): DestinationDelivery {
    const { protocol, url } = this.#target;
    const { version } = this.#protocol;
    return {
      protocol,
      ...(version === undefined ? {} : { version }),
      url: redactUrl(url),
      ...counts,
      ...(lastProblem === undefined ? {} : { lastProblem: this.#target.redact(lastProblem) }),
    };
  }
}

/** Numbers of sent and lost values of a receiver. */
export interface DestinationDelivery extends Omit<Delivery, 'lastProblem'> {
  readonly protocol: ProtocolName;
  /** The version of remote write in use at the end. */
  readonly version?: string;
  readonly url: string;
  readonly lastProblem?: string;
}

/** Moves user and password from a URL to a header. */
function separateCredentials(target: PushTarget): { url: URL; headers: Readonly<Record<string, string>> } {
  const url = new URL(target.url);
  if (url.username === '' && url.password === '') return { url, headers: target.headers };
  const login = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
  return { url, headers: { authorization, ...target.headers } };
}
