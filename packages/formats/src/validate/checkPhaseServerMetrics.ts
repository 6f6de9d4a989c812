import { narrowIntegers } from '../json/narrowIntegers.ts';
import type { Path } from '../json/path.ts';
import { checkEndpointInfo, checkEndpoints } from '../rules/endpoints.ts';
import type { Report } from '../rules/findings.ts';
import { checkPhase } from '../rules/phases.ts';
import { checkMetric } from '../rules/serverMetrics.ts';
import {
  asArray,
  asObject,
  getField,
  getObject,
  getText,
  listObjects,
  type Values,
} from '../rules/values.ts';
import { checkSchema, checkUnknownFields } from '../schema/checkSchema.ts';
import { loadBlockValidator, type SchemaValidator, schemaShapes } from '../schema/schemas.ts';
import { findMemberShape, type Shape } from '../schema/shape.ts';

/** Statistics of a phase have no period of their own. */
const NO_PERIOD = { startNs: undefined, endNs: undefined };

/**
 * Checks the server metrics of a phase. Their metrics are those of server_metrics_export.json, except that the series do not
 * repeat the URL of their endpoint.
 */
export async function checkPhaseServerMetrics(
  report: Report,
  document: Values,
  strict: boolean,
): Promise<void> {
  checkPhase(report, document);
  const data = getObject(document, 'data') ?? {};
  const endpoints = checkEndpoints(report, ['data'], data);
  const checkBlock = createBlockCheck(report, await loadBlockValidator('server-metrics.1.1'), strict);
  const summaries = getObject(data, 'endpoint_summaries');
  for (const [, summary, path] of listObjects(summaries, ['data', 'endpoint_summaries'])) {
    const url = getText(summary, 'endpoint_url') ?? '';
    const info = getObject(summary, 'info');
    if (info) checkEndpointInfo(report, [...path, 'info'], info);
    for (const [, metric, metricPath] of listObjects(getObject(summary, 'metrics'), [...path, 'metrics'])) {
      const complete = addUrl(metric, url);
      checkBlock(metricPath, complete);
      checkMetric(report, metricPath, complete, endpoints, NO_PERIOD);
    }
  }
}

/** Returns a metric whose series have the URL of their endpoint. */
function addUrl(metric: Values, url: string): Values {
  const series = getField(metric, 'series');
  if (!Array.isArray(series)) return metric;
  return {
    ...metric,
    series: asArray(series).map(item => (asObject(item) ? { endpoint_url: url, ...asObject(item) } : item)),
  };
}

/** Returns a function that checks a metric against the schema of server_metrics_export.json. */
function createBlockCheck(
  report: Report,
  validator: SchemaValidator,
  strict: boolean,
): (path: Path, metric: Values) => void {
  const shape = getMetricShape();
  return (path, metric) => {
    narrowIntegers(metric, shape);
    checkSchema((rule, place, ...rest) => report(rule, [...path, ...place], ...rest), validator, metric);
    if (strict) checkUnknownFields(report, metric, shape, path);
  };
}

function getMetricShape(): Shape {
  return findMemberShape(findMemberShape(schemaShapes['server-metrics.1.1'], 'metrics', {})!, '', {})!;
}
