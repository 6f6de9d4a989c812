import {
  HELP_RULES,
  HELP_SYMBOLS,
  LEGACY_SUFFIXES,
  SCALE_RULES,
  SUFFIXES,
  type UnitRule,
  WILDCARDS,
} from './unitTables.ts';

/** What `inferUnit` may know beside name and HELP text. */
export interface UnitOptions {
  /** The unit of an OpenMetrics `# UNIT` line. */
  readonly declaredUnit?: string | undefined;
  /** True for the legacy flat layout, which gives `_info` gauges the unit "info". */
  readonly legacy?: boolean;
}

/**
 * The unit of a metric, in the words of the JSON export ("seconds", "tokens/s", "ratio"); null when there is no telling.
 *
 * A declared unit wins: it is the server's word, the rest is a guess. It is given in the same words when the table
 * knows it ("joules" is "joule"), else as it is. Then come, in this order, a scale in the HELP text ("1 means 100
 * percent"), a unit in the HELP text, the longest suffix of the name, and parts of the name. Reference A10; seed 001,
 * "Unit Inference". Where AIPerf infers a unit this gives the same.
 *
 * @param name the family's name; a counter's without `_total`
 */
export function inferUnit(name: string, help: string, options: UnitOptions = {}): string | null {
  const lowerName = name.toLowerCase();
  return (
    declared(options.declaredUnit) ??
    firstMatch(SCALE_RULES, help) ??
    symbol(help) ??
    firstMatch(HELP_RULES, help) ??
    longestSuffix(lowerName, options.legacy === true) ??
    WILDCARDS.find(([part]) => lowerName.includes(part))?.[1] ??
    null
  );
}

function declared(unit: string | undefined): string | undefined {
  if (unit === undefined || unit === '') return undefined;
  return SUFFIXES.get(`_${unit.toLowerCase()}`) ?? unit;
}

function firstMatch(rules: readonly UnitRule[], help: string): string | undefined {
  return rules.find(([pattern]) => pattern.test(help))?.[1];
}

function symbol(help: string): string | undefined {
  for (const [, text] of help.matchAll(/\(in ([^()\s]+)\)/g)) {
    const unit = HELP_SYMBOLS.get(text!);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** From the left: the first end of the name that the table knows is the longest. */
function longestSuffix(name: string, legacy: boolean): string | undefined {
  for (let at = 0; at < name.length; at++) {
    const suffix = name.slice(at);
    const unit = SUFFIXES.get(suffix) ?? (legacy ? LEGACY_SUFFIXES.get(suffix) : undefined);
    if (unit !== undefined) return unit;
  }
  return undefined;
}
