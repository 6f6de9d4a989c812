import type { EndpointInfo, ServerMetricsDocument } from '../generated/serverMetrics.ts';

/** What AIPerf writes about an endpoint that returned no data. */
const ZEROS = {
  total_fetches: 0,
  first_fetch_ns: 0n,
  last_fetch_ns: 0n,
  avg_fetch_latency_ms: 0,
  unique_updates: 0,
  first_update_ns: 0n,
  last_update_ns: 0n,
  duration_seconds: 0,
  avg_update_interval_ms: 0,
} as const;

type Infos = ServerMetricsDocument['summary']['endpoint_info'];

/** Returns a document in which endpoints without data have AIPerf's zeros. */
export function fillEndpointInfo<Document extends Pick<ServerMetricsDocument, 'summary'>>(
  document: Document,
): Document {
  return mapIdleEndpoints(document, info => ({ ...info, ...ZEROS }));
}

/** Returns a document in which endpoints without data have no times, so that 0 is not taken for a time. */
export function omitEndpointZeros<Document extends Pick<ServerMetricsDocument, 'summary'>>(
  document: Document,
): Document {
  return mapIdleEndpoints(document, info => {
    const fields = Object.entries(info).filter(
      ([name]) => !Object.hasOwn(ZEROS, name) || name === 'total_fetches' || name === 'unique_updates',
    );
    return Object.fromEntries(fields) as unknown as EndpointInfo;
  });
}

function mapIdleEndpoints<Document extends Pick<ServerMetricsDocument, 'summary'>>(
  document: Document,
  convert: (info: EndpointInfo) => EndpointInfo,
): Document {
  const infos: Infos | undefined = document.summary?.endpoint_info;
  const entries = Object.entries(infos ?? {});
  if (!entries.some(([, info]) => info?.total_fetches === 0)) return document;
  const converted = entries.map(([url, info]) => [url, info?.total_fetches === 0 ? convert(info) : info]);
  return { ...document, summary: { ...document.summary, endpoint_info: Object.fromEntries(converted) } };
}
