/** Reads the roles of metrics, such as the number of waiting requests, from the scrapes of an active run. */

export { combineGauges, type Gauges, type RoleValue, readGauges, selectSlot } from './gauges.ts';
export { isResponding } from './responding.ts';
export {
  COUNTER_ROLES,
  type CounterRole,
  type EndpointSources,
  findSources,
  GAUGE_ROLES,
  type GaugeRole,
  LATENCY_ROLES,
  type LatencyRole,
  selectSources,
} from './roleValues.ts';
