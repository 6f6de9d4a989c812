/** Formats seconds on the axis as `12.5 s`, `3:05` or `1:02:03`. */
export function clock(seconds: number): string {
  const size = Math.abs(seconds);
  // A value that rounds to 0 has no sign.
  const sign = seconds <= -0.005 ? '-' : '';
  if (size < 60) return `${sign}${Number(size.toFixed(size < 10 ? 2 : 1))} s`;
  const whole = Math.round(size);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0
    ? `${sign}${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${sign}${minutes}:${two(whole % 60)}`;
}
