const MONTHS = 'January February March April May June July August September October November December';
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday';

/** The parts of a time by the letters of their directives. */
const DIRECTIVES: Readonly<Record<string, (time: Date) => string>> = {
  a: time => nameDay(time).slice(0, 3),
  A: nameDay,
  b: time => nameMonth(time).slice(0, 3),
  B: nameMonth,
  d: time => pad(time.getDate()),
  H: time => pad(time.getHours()),
  I: time => pad(time.getHours() % 12 || 12),
  m: time => pad(time.getMonth() + 1),
  M: time => pad(time.getMinutes()),
  p: time => (time.getHours() < 12 ? 'AM' : 'PM'),
  S: time => pad(time.getSeconds()),
  y: time => pad(time.getFullYear() % 100),
  Y: time => String(time.getFullYear()),
  '%': () => '%',
};

/** Formats a local time with directives such as `%d %b %Y`, like Python's `strftime`. Other directives are kept. */
export function formatTime(time: Date, format: string): string {
  return format.replaceAll(/%(.)/gs, (directive, letter: string) => DIRECTIVES[letter]?.(time) ?? directive);
}

function nameDay(time: Date): string {
  return DAYS.split(' ')[time.getDay()]!;
}

function nameMonth(time: Date): string {
  return MONTHS.split(' ')[time.getMonth()]!;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
