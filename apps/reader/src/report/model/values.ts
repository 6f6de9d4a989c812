import { formatNumber } from '@org/core';
import type { Values } from '../../svg/timeChartModel.ts';

/** Significant digits of values on the page. */
const DIGITS = 4;

/** Rounds values to the digits that the page shows. */
export function roundValues(values: Values): (number | null)[] {
  return values.map(value => (value === null || !Number.isFinite(value) ? null : roundDigits(value)));
}

/** Rounds a value to the digits that the page shows. */
export function roundDigits(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Reports whether values are known, and all of them are 0. */
export function areAllZero(values: Values): boolean {
  return values.some(value => value !== null) && values.every(value => value === null || value === 0);
}

/** Returns the highest known value; undefined if there is none. */
export function findMaximum(values: Values): number | undefined {
  let highest: number | undefined;
  for (const value of values)
    if (value !== null && (highest === undefined || value > highest)) highest = value;
  return highest;
}

/** Rounds a time on the axis to hundredths of a second. */
export function roundSeconds(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/** Formats the used part of a cache, in percent. */
export function formatUsage(percent: number): string {
  return `${formatNumber(Number(percent.toPrecision(percent < 10 ? 2 : 3)))}%`;
}
