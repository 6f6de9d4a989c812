/** Timestamp, latency and changed flag of an endpoint's frames, one entry per frame in the order of arrival. */
export class FrameTimes {
  #originNs: bigint | null = null;
  #offsetsNs = new Float64Array(64);
  #latenciesNs = new Float64Array(64);
  #changed = new Uint8Array(64);
  #length = 0;
  #isSorted = true;
  /** Frame indices sorted by time; null until needed. */
  #order: Uint32Array | null = null;

  get length(): number {
    return this.#length;
  }

  get originNs(): bigint {
    return this.#originNs ?? 0n;
  }

  get byteLength(): number {
    const order = this.#order?.byteLength ?? 0;
    return this.#offsetsNs.byteLength + this.#latenciesNs.byteLength + this.#changed.byteLength + order;
  }

  append(timestampNs: bigint, latencyNs: number, changed: boolean): void {
    this.#originNs ??= timestampNs;
    if (this.#length === this.#offsetsNs.length) this.#grow();
    const offset = Number(timestampNs - this.#originNs);
    if (this.#length > 0 && offset < this.#offsetsNs[this.#length - 1]!) this.#isSorted = false;
    this.#order = null;
    this.#offsetsNs[this.#length] = offset;
    this.#latenciesNs[this.#length] = latencyNs;
    this.#changed[this.#length++] = changed ? 1 : 0;
  }

  /** Frame indices in timeline order; null if frames arrived in that order. */
  order(): Uint32Array | null {
    if (this.#isSorted) return null;
    if (this.#order !== null) return this.#order;
    const offsets = this.#offsetsNs;
    const order = Uint32Array.from({ length: this.#length }, (_, frame) => frame);
    this.#order = order.sort((a, b) => offsets[a]! - offsets[b]! || a - b);
    return this.#order;
  }

  offsetsNs(): Float64Array {
    const order = this.order();
    if (order === null) return this.#offsetsNs.subarray(0, this.#length);
    return Float64Array.from(order, frame => this.#offsetsNs[frame]!);
  }

  latenciesNs(): Float64Array {
    const order = this.order();
    if (order === null) return this.#latenciesNs.subarray(0, this.#length);
    return Float64Array.from(order, frame => this.#latenciesNs[frame]!);
  }

  changed(): Uint8Array {
    const order = this.order();
    if (order === null) return this.#changed.subarray(0, this.#length);
    return Uint8Array.from(order, frame => this.#changed[frame]!);
  }

  #grow(): void {
    const length = Math.ceil(this.#length * 1.5);
    const offsets = new Float64Array(length);
    const latencies = new Float64Array(length);
    const changed = new Uint8Array(length);
    offsets.set(this.#offsetsNs);
    latencies.set(this.#latenciesNs);
    changed.set(this.#changed);
    this.#offsetsNs = offsets;
    this.#latenciesNs = latencies;
    this.#changed = changed;
  }
}
