import { EndpointStore, type Frame, type StoreMemory } from '@org/core';
import type { BoundarySamples, EndpointRecord, HealthRecord } from '@org/record';
import type { Endpoint, JournalWriter } from '@org/scrape';

/** Where the endpoints of a run are recorded. */
export interface EndpointRecording {
  readonly journal: JournalWriter;
  /** Memory shared by the stores of all endpoints. */
  readonly memory: StoreMemory;
  /** Returns the current health of an endpoint. */
  readonly describeHealth: (endpoint: Endpoint) => HealthRecord;
}

/** The stores of the endpoints of a run, and the same data in the journal, from which it is recovered after a crash. */
export class RecordedEndpoints {
  readonly #recording: EndpointRecording;
  readonly #stores = new Map<Endpoint, EndpointStore>();
  readonly #indices = new Map<Endpoint, number>();

  constructor(recording: EndpointRecording) {
    this.#recording = recording;
  }

  /** Returns the index of an endpoint in the journal. */
  getIndex(endpoint: Endpoint): number {
    return this.#indices.get(endpoint)!;
  }

  /** Creates the store of an endpoint, and adds the endpoint to the journal. */
  register(endpoint: Endpoint): void {
    const { journal, memory } = this.#recording;
    const index = this.#indices.size;
    this.#stores.set(endpoint, new EndpointStore(endpoint.layout, memory));
    this.#indices.set(endpoint, index);
    journal.addEndpoint(index, toJournalEndpoint(endpoint));
  }

  /** Adds a frame to the store and to the journal. */
  append(endpoint: Endpoint, frame: Frame): void {
    const { journal } = this.#recording;
    const index = this.#indices.get(endpoint)!;
    this.#stores.get(endpoint)!.append(frame);
    journal.addEndpoint(index, toJournalEndpoint(endpoint));
    journal.append(index, endpoint.layout, frame);
  }

  /** Journals an endpoint that was added, removed or listed again, or whose labels have changed. */
  journalChange(endpoint: Endpoint): void {
    if (!this.#indices.has(endpoint)) this.register(endpoint);
    this.#recording.journal.addEndpoint(this.getIndex(endpoint), toJournalEndpoint(endpoint));
    this.journalHealth(endpoint);
  }

  journalHealth(endpoint: Endpoint): void {
    const { journal, describeHealth } = this.#recording;
    journal.addHealth(this.getIndex(endpoint), describeHealth(endpoint));
  }

  /** Returns the record of an endpoint. `boundaries` are its samples at the start and the end of profiling. */
  createRecord(endpoint: Endpoint, boundaries: BoundarySamples): EndpointRecord {
    return {
      ...toJournalEndpoint(endpoint),
      store: this.#stores.get(endpoint)!,
      health: this.#recording.describeHealth(endpoint),
      boundaries,
    };
  }
}

function toJournalEndpoint({ url, target, labels }: Endpoint): Parameters<JournalWriter['addEndpoint']>[1] {
  return {
    url,
    configuredUrl: target.url,
    ...(target.identity === undefined ? {} : { identity: target.identity }),
    ...(labels ? { labels } : {}),
  };
}
