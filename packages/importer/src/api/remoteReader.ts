import { splitFrames } from '../remoteRead/chunkFrames.ts';
import { ProtobufError } from '../remoteRead/protobuf.ts';
import { parseChunkedResponse, parseSampledResponse } from '../remoteRead/readMessages.ts';
import { encodeReadRequest } from '../remoteRead/readRequest.ts';
import { decodeSnappy } from '../remoteRead/snappy.ts';
import type { Selector } from '../selector.ts';
import type { SeriesSink } from '../series.ts';
import type { ApiClient, ApiResponse } from './apiClient.ts';
import { type MsRange, ResponseError, type SampleReader } from './sampleReader.ts';

const PATH = '/api/v1/read';
const HEADERS = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-read-version': '0.1.0',
};
/** Maximum size of a response that is not streamed, as transferred and after decompression. */
const MAX_BODY_BYTES = 1024 ** 3;

/** Reads samples as stored, by remote read: as streamed chunks, or as samples from servers that do not stream. */
export class RemoteReader implements SampleReader {
  readonly api = 'remote-read';
  readonly #client: ApiClient;
  readonly #unsupported = { chunks: 0 };

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async read(
    selector: Selector,
    { fromMs, toMs }: MsRange,
    sink: SeriesSink,
    signal: AbortSignal,
  ): Promise<void> {
    const body = encodeReadRequest(selector, fromMs, toMs - 1);
    const response = await this.#client.send({ method: 'POST', path: PATH, headers: HEADERS, body, signal });
    try {
      if (response.contentType.startsWith('application/x-streamed-protobuf'))
        await this.#readStream(response, sink);
      else await this.#readWhole(response, sink);
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
      throw new ResponseError(`sent a response that cannot be read: ${error.message}`);
    }
  }

  listLosses(): readonly string[] {
    const { chunks } = this.#unsupported;
    return chunks === 0 ? [] : ['native histograms are not imported'];
  }

  async #readStream({ body }: ApiResponse, sink: SeriesSink): Promise<void> {
    for await (const message of splitFrames(body))
      for (const series of parseChunkedResponse(message, this.#unsupported)) sink(series);
  }

  async #readWhole({ body }: ApiResponse, sink: SeriesSink): Promise<void> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of body) {
      length += part.length;
      if (length > MAX_BODY_BYTES)
        throw new ResponseError(`sent more than ${MAX_BODY_BYTES} bytes; use a shorter --piece-duration`);
      parts.push(part);
    }
    const message = decodeSnappy(Buffer.concat(parts), MAX_BODY_BYTES);
    for (const series of parseSampledResponse(message, this.#unsupported)) sink(series);
  }
}
