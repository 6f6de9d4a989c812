import {
  legacyServerMetrics,
  profileAggregate,
  profileCollated,
  profileExport,
  profileRecord,
  profileSweep,
  profileTimeslices,
  serverMetrics,
  serverMetricsRecord,
} from '../generated/shapes.ts';
import type { SchemaName } from './schemaValidator.ts';
import type { Shape } from './shape.ts';

/** Shape of the documents of each schema. Older profile exports have a subset of the fields of version 1.3. */
export const schemaShapes: Readonly<Record<SchemaName, Shape>> = {
  'server-metrics.1.0': serverMetrics,
  'server-metrics.legacy': legacyServerMetrics,
  'server-metrics-record': serverMetricsRecord,
  'profile-export.1.0': profileExport,
  'profile-export.1.1': profileExport,
  'profile-export.1.2': profileExport,
  'profile-export.1.3': profileExport,
  'profile-record': profileRecord,
  'profile-timeslices.1.0': profileTimeslices,
  'profile-aggregate.1.0': profileAggregate,
  'profile-collated.1.0.0': profileCollated,
  'profile-sweep.1.0': profileSweep,
};
