import { RunInputError } from '@org/record';
import { type ApiClient, ApiError } from './apiClient.ts';
import { ExportReader } from './exportReader.ts';
import { RangeReader } from './rangeReader.ts';
import { RemoteReader } from './remoteReader.ts';
import { APIS, type Api, ResponseError, type SampleReader } from './sampleReader.ts';

/** Statuses of servers that do not have an API. VictoriaMetrics responds with 400 to unknown paths. */
const MISSING_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 501]);

/** Creates the reader of an API. */
export function createReader(api: Api, client: ApiClient, stepMs: number): SampleReader {
  switch (api) {
    case 'remote-read':
      return new RemoteReader(client);
    case 'victoria-metrics':
      return new ExportReader(client);
    case 'query-range':
      return new RangeReader(client, stepMs);
  }
}

/** A reader whose API the server has, and the failures of those that it does not have. */
export interface SelectedReader {
  readonly reader: SampleReader;
  readonly rejected: readonly string[];
}

/**
 * Calls `read` with the readers of all APIs, from the most to the least complete, until the server has one. Throws the
 * error of an API that the server has, and `RunInputError` if it has none.
 */
export async function selectReader(
  client: ApiClient,
  stepMs: number,
  read: (reader: SampleReader) => Promise<void>,
): Promise<SelectedReader> {
  const rejected: string[] = [];
  for (const api of APIS) {
    const reader = createReader(api, client, stepMs);
    try {
      await read(reader);
      return { reader, rejected };
    } catch (error) {
      const isMissing = error instanceof ApiError && MISSING_STATUSES.has(error.status ?? 0);
      if (!isMissing && !(error instanceof ResponseError)) throw error;
      rejected.push((error as Error).message);
    }
  }
  throw new RunInputError(
    `${client.url} has no API that can be imported from: ${rejected.join('; ')}; expected the base URL of Prometheus or a compatible server, such as http://host:9090`,
  );
}
