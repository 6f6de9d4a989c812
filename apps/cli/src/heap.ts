import { setFlagsFromString } from 'node:v8';

/**
 * Has the part of the heap for young objects stay as small as it began, 1 MB, which V8 otherwise lets grow to 16 MB and three
 * times of that in memory. Scraping makes little that is young, and of that nothing stays. Where V8 no longer knows the flag,
 * nothing changes.
 *
 * To be called before anything large is loaded: what has grown stays. On the command line of Node 20 the flag does nothing.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** How much the heap may grow between two collections of garbage, in percent of what lives. */
const GROWTH_PERCENT = 40;

/**
 * Has garbage collected more often than V8 does by itself, which lets a heap grow to four times of what lives in it. We run
 * beside a benchmark: of a run with 100,000 series the exports take half a gigabyte instead of one and a half, and a
 * tenth more time. Where V8 no longer knows the flag, nothing changes.
 *
 * Young objects get their room again, of which making documents makes many.
 *
 * For the exports only: while scraping, what is kept grows slowly, and with this setting the whole heap would be gone through
 * several times a second for the sake of bodies that are young garbage.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
