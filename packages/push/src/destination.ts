import { decodePercent } from '@org/core';
import type { Receiver, ReceiverDelivery } from './dispatch/dispatcher.ts';
import { Otlp } from './protocols/otlp.ts';
import type { Protocol } from './protocols/protocol.ts';
import { RemoteWrite } from './protocols/remoteWrite.ts';
import type { EncodingCache } from './send/encodingCache.ts';
import { HttpClient } from './send/httpClient.ts';
import { Sender } from './send/sender.ts';
import type { ProtocolName } from './target.ts';

const PROTOCOLS: Readonly<Record<ProtocolName, () => Protocol>> = {
  otlp: () => new Otlp('protobuf'),
  'otlp-json': () => new Otlp('json'),
  'remote-write': () => new RemoteWrite(),
};

/** A receiver with its protocol and its sender. */
export class Destination {
  readonly sender: Sender;
  readonly #protocol: Protocol;

  /** @param encodings the encoded batches, which all receivers share */
  constructor(receiver: Receiver, version: string, encodings: EncodingCache) {
    this.#protocol = PROTOCOLS[receiver.protocol]();
    const { url, headers } = separateCredentials(receiver);
    const client = new HttpClient(url, { 'user-agent': `servelens/${version}`, ...headers });
    this.sender = new Sender(this.#protocol, client, encodings);
  }

  /** Sends the values that wait, as {@link Sender.close}. */
  async close(timeoutMs: number): Promise<ReceiverDelivery> {
    const delivery = await this.sender.close(timeoutMs);
    const { version } = this.#protocol;
    return version === undefined ? delivery : { ...delivery, version };
  }
}

/** Moves user and password from a URL to a header. */
function separateCredentials(target: Receiver): { url: URL; headers: Readonly<Record<string, string>> } {
  const url = new URL(target.url);
  if (url.username === '' && url.password === '') return { url, headers: target.headers };
  const login = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
  return { url, headers: { authorization, ...target.headers } };
}
