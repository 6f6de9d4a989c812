import {
  HELP_RULES,
  HELP_SYMBOLS,
  LEGACY_SUFFIXES,
  NAME_PARTS,
  SCALE_RULES,
  SUFFIXES,
  type UnitRule,
} from './unitTables.ts';

/** Options of `inferUnit`. */
export interface UnitOptions {
  /** Unit from an OpenMetrics `# UNIT` line. */
  readonly declaredUnit?: string | undefined;
  /** True for the legacy export layout, where `_info` gauges have the unit "info". */
  readonly legacy?: boolean;
}

/**
 * Infers the unit of a metric, as spelled in the JSON export ("seconds", "tokens/s", "ratio"); null if it is
 * unknown.
 *
 * A declared unit takes precedence and is normalized if it is known ("joules" becomes "joule"). Otherwise,
 * the first match is used, in this order: a scale in the HELP text ("1 means 100 percent"), a unit in the
 * HELP text, the longest suffix of the name, a part of the name. If AIPerf infers a unit, the result is the
 * same.
 *
 * @param name the family name, without `_total` for counters
 */
export function inferUnit(name: string, help: string, options: UnitOptions = {}): string | null {
  const lowerName = name.toLowerCase();
  return (
    normalizeDeclaredUnit(options.declaredUnit) ??
    findFirstMatch(SCALE_RULES, help) ??
    findSymbol(help) ??
    findFirstMatch(HELP_RULES, help) ??
    findLongestSuffix(lowerName, options.legacy === true) ??
    NAME_PARTS.find(([part]) => lowerName.includes(part))?.[1] ??
    null
  );
}

function normalizeDeclaredUnit(unit: string | undefined): string | undefined {
  if (unit === undefined || unit === '') return undefined;
  return SUFFIXES.get(`_${unit.toLowerCase()}`) ?? unit;
}

function findFirstMatch(rules: readonly UnitRule[], help: string): string | undefined {
  return rules.find(([pattern]) => pattern.test(help))?.[1];
}

function findSymbol(help: string): string | undefined {
  for (const [, text] of help.matchAll(/\(in ([^()\s]+)\)/g)) {
    const unit = HELP_SYMBOLS.get(text!);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** Finds the longest suffix in the tables, trying suffixes from the longest to the shortest. */
function findLongestSuffix(name: string, legacy: boolean): string | undefined {
  for (let at = 0; at < name.length; at++) {
    const suffix = name.slice(at);
    const unit = SUFFIXES.get(suffix) ?? (legacy ? LEGACY_SUFFIXES.get(suffix) : undefined);
    if (unit !== undefined) return unit;
  }
  return undefined;
}
