import type { ProfileRecord } from '@org/formats';
import { GOOD_REQUEST, type GoodputRule, meetsGoodput } from '@org/loadgen';

/**
 * Adds to the line of a successful request whether it meets the goodput limits, as AIPerf does. If the token counts of a
 * line change, the result can change as well.
 */
export function rateRequest(line: ProfileRecord, rules: readonly GoodputRule[] | undefined): ProfileRecord {
  if (!rules || line.error || line.metadata.was_cancelled) return line;
  const { tag, unit } = GOOD_REQUEST;
  const values = Object.fromEntries(
    Object.entries(line.metrics ?? {}).map(([name, { value }]) => [name, value]),
  );
  return {
    ...line,
    metrics: { ...line.metrics, [tag]: { value: meetsGoodput(rules, values) ? 1 : 0, unit } },
  };
}
