/** Seconds on the axis as a person reads them: `12.5 s`, `3:05`, `1:02:03`. */
export function clock(seconds: number): string {
  const size = Math.abs(seconds);
  // What rounds to nothing has no sign.
  const sign = seconds <= -0.005 ? '-' : '';
  if (size < 60) return `${sign}${Number(size.toFixed(size < 10 ? 2 : 1))} s`;
  const whole = Math.round(size);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0
    ? `${sign}${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${sign}${minutes}:${two(whole % 60)}`;
}
