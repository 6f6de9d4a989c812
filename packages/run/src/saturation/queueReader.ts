import {
  combineGauges,
  type EndpointSources,
  findSources,
  isResponding,
  readGauges,
} from '@org/record/roles';
import type { Endpoint } from '@org/scrape';
import type { ServerCatalog } from '@org/servers';

/** The parts of an endpoint that are read. */
export type QueueEndpoint = Pick<Endpoint, 'layout' | 'latest' | 'stalledMs'> & {
  readonly health: Pick<Endpoint['health'], 'status'>;
};

/** Reads the number of requests in the queues of all servers. */
export class QueueReader {
  readonly #endpoints: readonly QueueEndpoint[];
  readonly #servers: ServerCatalog;
  /** The series of each endpoint, and the number of series of its layout when they were found. */
  readonly #sources = new Map<QueueEndpoint, { readonly count: number; readonly found: EndpointSources }>();

  constructor(endpoints: readonly QueueEndpoint[], servers: ServerCatalog) {
    this.#endpoints = endpoints;
    this.#servers = servers;
  }

  /** Returns the number of waiting requests in the last scrapes; undefined if no server reports it. */
  read(): number | undefined {
    const gauges = this.#endpoints.flatMap(endpoint =>
      endpoint.latest && isResponding(endpoint)
        ? [readGauges(this.#findSources(endpoint), endpoint.latest)]
        : [],
    );
    return combineGauges(gauges, 'waiting');
  }

  #findSources(endpoint: QueueEndpoint): EndpointSources {
    const { length: count } = endpoint.layout.series;
    const known = this.#sources.get(endpoint);
    if (known?.count === count) return known.found;
    const found = findSources(endpoint.layout, this.#servers);
    this.#sources.set(endpoint, { count, found });
    return found;
  }
}
