import { formatBytes, formatNumber, formatPercent } from '@org/core';
import type { Run } from '../run/run.ts';
import { computeDerived, type DerivedValue } from './computeDerived.ts';

/** A derived value that is known. */
export type KnownDerivedValue = DerivedValue & { readonly value: number };

/**
 * Selects the derived values that summaries show: those that say something. Of several endpoints, the value of all
 * together is shown; without one, the values of the endpoints.
 */
export function selectNotableDerived(run: Run): KnownDerivedValue[] {
  const known = computeDerived(run).filter(isKnown);
  const together = new Set(known.filter(({ endpoint }) => endpoint === null).map(createKey));
  return known.filter(
    derived =>
      derived.value !== derived.formula.quietAt &&
      (derived.endpoint === null || !together.has(createKey(derived))),
  );
}

function isKnown(derived: DerivedValue): derived is KnownDerivedValue {
  return derived.value !== undefined;
}

function createKey({ name, server }: DerivedValue): string {
  return `${server} ${name}`;
}

/** Formats the value of a derived metric with its unit, such as `93.7%`, `1.5×`, `2.5 GiB/s` or `3.4 tokens/draft`. */
export function formatDerived({ value, unit }: Pick<KnownDerivedValue, 'value' | 'unit'>): string {
  const [counted = '', divisor] = unit.split('/');
  const text = formatWithUnit(value, counted);
  if (divisor === undefined) return text;
  return divisor === 'seconds' ? `${text}/s` : `${text}/${divisor.replace(/s$/, '')}`;
}

function formatWithUnit(value: number, unit: string): string {
  switch (unit) {
    case 'ratio':
      return formatPercent(value);
    case 'factor':
      return `${formatNumber(value)}×`;
    case 'bytes':
      return formatBytes(value);
    default:
      return `${formatNumber(value)} ${unit}`;
  }
}
