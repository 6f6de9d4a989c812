import type { SearchLimit, SearchPlan, SearchTier } from '@org/run';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions, readList } from '@org/terminal/program';
import { parseFilter } from './limits.ts';

const MIN_TIERS = 2;
const MAX_TIERS = 10;
const EXPECTED =
  'limits with an optional name in front of them, such as fast:time_to_first_token:p95:lt:200,inter_token_latency:p95:lt:20';

/**
 * Adds the tiers of --search-sla-tier to a search. The limits of the search also apply to each tier. Throws `UsageError` if a
 * tier is invalid, or if the search has no single boundary.
 */
export function addTiers(plan: SearchPlan, raw: RawOptions): SearchPlan {
  const texts = readList(raw, 'search-sla-tier');
  if (texts.length === 0) return plan;
  if (texts.length < MIN_TIERS || texts.length > MAX_TIERS)
    throw new UsageError(
      `--search-sla-tier is set ${texts.length === 1 ? 'once' : `${texts.length} times`}; expected ${MIN_TIERS} to ${MAX_TIERS} tiers. Use --search-sla for the limits of a single one`,
    );
  if (plan.planner !== 'isotonic')
    throw new UsageError(
      'cannot use --search-sla-tier in a search of several parameters or with the planner latin_hypercube',
    );
  const tiers = texts.map((text, index) => parseTier(text, index, plan.limits));
  const labels = tiers.map(({ label }) => label);
  const repeated = labels.find((label, index) => labels.indexOf(label) !== index);
  if (repeated !== undefined)
    throw new UsageError(
      `two tiers of --search-sla-tier have the name ${JSON.stringify(repeated)}; expected different names`,
    );
  return { ...plan, limits: joinLimits([plan.limits, ...tiers.map(({ own }) => own)]), tiers };
}

function parseTier(text: string, index: number, common: readonly SearchLimit[]): SearchTier {
  const { label, rest } = splitLabel(text, index);
  const filters = rest
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  if (label.trim() === '' || filters.length === 0) throw createOptionError('search-sla-tier', text, EXPECTED);
  const own = filters.map(filter => {
    const limit = parseFilter(filter, 'search-sla-tier');
    if (!limit) throw createOptionError('search-sla-tier', text, EXPECTED);
    return limit;
  });
  return { label, own, limits: joinLimits([own, common]) };
}

/** Splits the name from the limits. As in AIPerf, the first part is a limit if it has three colons. */
function splitLabel(text: string, index: number): { readonly label: string; readonly rest: string } {
  const [first = ''] = text.split(',', 1);
  if (first.split(':').length === 4) return { label: `tier_${index + 1}`, rest: text };
  const colon = text.indexOf(':');
  return colon < 0 ? { label: text, rest: '' } : { label: text.slice(0, colon), rest: text.slice(colon + 1) };
}

/** Joins lists of limits, without repetitions. */
function joinLimits(lists: readonly (readonly SearchLimit[])[]): SearchLimit[] {
  return [...new Map(lists.flat().map(limit => [limit.rule, limit])).values()];
}
