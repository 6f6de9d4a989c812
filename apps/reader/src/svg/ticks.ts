import { formatValue } from '@org/core';

/** Steps in seconds between labels of a time axis. */
const TIME_STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200],
  86_400,
];

/** Lists round values in a range: multiples of 1, 2 or 5 times a power of ten, at most `count` of them. */
export function listTicks(from: number, to: number, count: number): number[] {
  const step = findStep((to - from) / Math.max(1, count));
  return listMultiples(from, to, step);
}

function findStep(minimum: number): number {
  if (!(minimum > 0 && Number.isFinite(minimum))) return 1;
  const power = 10 ** Math.floor(Math.log10(minimum));
  const factor = [1, 2, 5, 10].find(candidate => candidate * power >= minimum * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Lists round times in a range, in seconds, at most `count` of them. */
export function listTimeTicks(from: number, to: number, count: number): number[] {
  const minimum = (to - from) / Math.max(1, count);
  const step = TIME_STEPS.find(candidate => candidate >= minimum) ?? Math.ceil(minimum / 86_400) * 86_400;
  return listMultiples(from, to, step);
}

function listMultiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // Rounded, because 3 * 0.1 is not 0.3.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Lists powers of ten in a range, with 2 and 5 times each power if there is room for them. */
export function listLogTicks(from: number, to: number, count: number): number[] {
  const powers = Array.from(
    { length: Math.max(0, Math.floor(Math.log10(to)) - Math.floor(Math.log10(from)) + 1) },
    (_, i) => 10 ** (Math.floor(Math.log10(from)) + i),
  );
  const list = (factors: readonly number[]): number[] =>
    powers
      .flatMap(power => factors.map(factor => Number((factor * power).toPrecision(12))))
      .filter(value => value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9));
  const fine = list([1, 2, 5]);
  if (fine.length <= count) return fine;
  const coarse = list([1]);
  const every = Math.max(1, Math.ceil(coarse.length / Math.max(1, count)));
  return coarse.filter((_, i) => i % every === 0);
}

/** Formats a time on the axis, in seconds, as `12.5 s`, `3:05` or `1:02:03`. */
export function formatTime(seconds: number): string {
  const magnitude = Math.abs(seconds);
  // A value that rounds to 0 has no sign.
  const sign = seconds <= -0.005 ? '-' : '';
  if (magnitude < 60) return `${sign}${Number(magnitude.toFixed(magnitude < 10 ? 2 : 1))} s`;
  const wholeSeconds = Math.round(magnitude);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor((wholeSeconds % 3600) / 60)];
  return hours > 0
    ? `${sign}${hours}:${pad(minutes)}:${pad(wholeSeconds % 60)}`
    : `${sign}${minutes}:${pad(wholeSeconds % 60)}`;
}

/** Maximum length of a label of a value axis, in characters. */
const MAX_LABEL = 6;

/** Formats a value on an axis, in scientific notation if it would be too long. */
export function formatTick(value: number): string {
  return formatValue(value, null, MAX_LABEL);
}
