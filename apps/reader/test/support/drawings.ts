/** A text of a drawing, with its approximate box in pixels. */
interface DrawnText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly group: string;
}

/** Approximate width of a character of 12 pixels. */
const CHARACTER_WIDTH = 6.2;
/** Space that two lines of text need, in pixels. */
const LINE_HEIGHT = 10;

/** Returns the numbers in a text, such as path data. */
export function listNumbers(text: string): number[] {
  return (text.match(/-?\d*\.?\d+/g) ?? []).map(Number);
}

/** Lists the labels of each axis, and of marks, that overlap another one of the same kind. */
export function findOverlaps(svg: string): string[] {
  const texts = listTexts(svg);
  return texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter(
        b =>
          a.group === b.group &&
          Math.abs(a.y - b.y) < LINE_HEIGHT &&
          a.left < b.right - 0.5 &&
          b.left < a.right - 0.5,
      )
      .map(b => `${a.group}: "${a.text}" and "${b.text}"`),
  );
}

/** Lists the texts that are outside of a drawing. */
export function findOutside(svg: string, width: number, height: number): string[] {
  return listTexts(svg)
    .filter(({ left, right, y }) => left < -14 || right > width + 14 || y < 4 || y > height)
    .map(({ text, left, right, y }) => `"${text}" from ${left} to ${right} at ${y}`);
}

/** The own class of a text first, then the class of its group. */
const TEXT = /<text(?: class="([^"]*)")? x="([^"]*)" y="([^"]*)">([^<]*)<\/text>/g;
const GROUP = /<g class="([^"]*)">((?:<text[^>]*>[^<]*<\/text>)+)<\/g>/g;

function listTexts(svg: string): DrawnText[] {
  const groups = [...svg.matchAll(GROUP)].flatMap(([, className = '', texts = '']) =>
    readTexts(texts, className),
  );
  return [...groups, ...readTexts(svg.replace(GROUP, ''), '')];
}

function readTexts(svg: string, groupClass: string): DrawnText[] {
  return [...svg.matchAll(TEXT)].map(([, ownClass = '', x, y, text = '']) => {
    const width = text.length * CHARACTER_WIDTH;
    const className = `${ownClass} ${groupClass}`;
    const anchor = /\b(start|middle|end)\b/.exec(className)?.[1];
    const left = Number(x) - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
    const group = /\bmark\b/.test(className)
      ? /limit-name/.test(className)
        ? 'limit'
        : 'mark'
      : /load-tick/.test(className)
        ? 'load axis'
        : 'axis';
    return { text, left, right: left + width, y: Number(y), group };
  });
}
