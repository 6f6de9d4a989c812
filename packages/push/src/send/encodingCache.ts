import type { Batch } from '../metrics/batch.ts';
import type { EncodedBatch, Protocol } from '../protocols/protocol.ts';

/** Maximum size of the bodies that are kept, in bytes. */
export const MAX_CACHED_BYTES: number = 8 * 1024 * 1024;

interface CachedBody {
  readonly batch: Batch;
  readonly encoding: string;
  readonly encoded: EncodedBatch;
}

/**
 * The batches that were encoded last. Receivers of one protocol send the same batches at about the same time, so that each
 * batch is encoded once.
 */
export class EncodingCache {
  readonly #bodies: CachedBody[] = [];
  #bytes = 0;

  /** Encodes a batch with the current version of a protocol. */
  encode(batch: Batch, protocol: Pick<Protocol, 'encode' | 'encoding'>): EncodedBatch {
    const { encoding } = protocol;
    const cached = this.#bodies.findLast(body => body.batch === batch && body.encoding === encoding);
    if (cached) return cached.encoded;
    const encoded = protocol.encode(batch);
    this.#add({ batch, encoding, encoded });
    return encoded;
  }

  #add(body: CachedBody): void {
    this.#bodies.push(body);
    this.#bytes += body.encoded.body.length;
    while (this.#bytes > MAX_CACHED_BYTES) this.#bytes -= this.#bodies.shift()!.encoded.body.length;
  }
}
