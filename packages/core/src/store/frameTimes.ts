/** Stores the timestamp, the latency and the changed flag of each frame of an endpoint, in the order of arrival. */
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

  /** Unix time of the frame that was appended first, in ns; 0 without frames. */
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
    const offsetNs = Number(timestampNs - this.#originNs);
    if (this.#length > 0 && offsetNs < this.#offsetsNs[this.#length - 1]!) this.#isSorted = false;
    this.#order = null;
    this.#offsetsNs[this.#length] = offsetNs;
    this.#latenciesNs[this.#length] = latencyNs;
    this.#changed[this.#length++] = changed ? 1 : 0;
  }

  /** Returns the frame indices in timeline order; null if frames arrived in this order. */
  order(): Uint32Array | null {
    if (this.#isSorted) return null;
    if (this.#order !== null) return this.#order;
    const offsets = this.#offsetsNs;
    const order = Uint32Array.from({ length: this.#length }, (_, frame) => frame);
    this.#order = order.sort((a, b) => offsets[a]! - offsets[b]! || a - b);
    return this.#order;
  }

  /** Returns the times of the frames in ns since the origin, in timeline order. */
  offsetsNs(): Float64Array {
    const order = this.order();
    if (order === null) return this.#offsetsNs.subarray(0, this.#length);
    return Float64Array.from(order, frame => this.#offsetsNs[frame]!);
  }

  /** Returns the latencies in timeline order. */
  latenciesNs(): Float64Array {
    const order = this.order();
    if (order === null) return this.#latenciesNs.subarray(0, this.#length);
    return Float64Array.from(order, frame => this.#latenciesNs[frame]!);
  }

  /** Returns the changed flags (0 or 1) in timeline order. */
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
