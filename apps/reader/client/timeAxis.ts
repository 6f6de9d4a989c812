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
