import { paintSvg } from './paintSvg.ts';

/** The dashes of a line in a legend, in pixels. */
const DASH = 4;
const GAP = 2;

/**
 * Paints an element and its descendants on a canvas, down to a position in the window. The page paints itself, because its
 * content security policy allows no images, which a browser would need to draw it.
 */
export function paintPage(element: Element, context: CanvasRenderingContext2D, bottom: number): void {
  if (element.matches('button:not(.legend-item), script, style, .toolbar, .skip, .help')) return;
  const box = element.getBoundingClientRect();
  if (!element.checkVisibility() || box.top > bottom) return;
  if (element instanceof SVGSVGElement) {
    paintSvg(element, context);
    return;
  }
  const style = getComputedStyle(element);
  context.save();
  context.globalAlpha *= Number(style.opacity);
  paintBox(box, style, context);
  for (const child of element.childNodes) {
    if (child instanceof Text) paintText(child, style, context);
    else if (child instanceof Element) paintPage(child, context, bottom);
  }
  context.restore();
}

/** Paints the background and the border of a box. */
function paintBox(box: DOMRect, style: CSSStyleDeclaration, context: CanvasRenderingContext2D): void {
  const { left, top, width, height } = box;
  context.beginPath();
  if (style.maskImage === 'none')
    context.roundRect(left, top, width, height, Number.parseFloat(style.borderTopLeftRadius) || 0);
  // Only the color of a dashed line in a legend has a mask.
  else
    for (let x = 0; x < width; x += DASH + GAP)
      context.rect(left + x, top, Math.min(DASH, width - x), height);
  context.fillStyle = style.backgroundColor;
  context.fill();
  const [border, leftBorder, bottomBorder] = [
    style.borderTopWidth,
    style.borderLeftWidth,
    style.borderBottomWidth,
  ].map(Number.parseFloat) as [number, number, number];
  if (border > 0) {
    context.strokeStyle = style.borderTopColor;
    context.lineWidth = border;
    context.stroke();
  }
  context.fillStyle = style.borderLeftColor;
  if (leftBorder > border) context.fillRect(left, top, leftBorder, height);
  context.fillStyle = style.borderBottomColor;
  if (bottomBorder > 0 && border === 0)
    context.fillRect(left, top + height - bottomBorder, width, bottomBorder);
}

/** Paints a text, line by line as the browser has broken it. */
function paintText(text: Text, style: CSSStyleDeclaration, context: CanvasRenderingContext2D): void {
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing;
  context.textBaseline = 'middle';
  for (const { words, left, middle } of listLines(text)) context.fillText(words, left, middle);
}

interface TextLine {
  words: string;
  readonly left: number;
  readonly middle: number;
}

/** Lists the lines of a text. Words with the same middle are on one line. */
function listLines(text: Text): TextLine[] {
  const lines: TextLine[] = [];
  const range = document.createRange();
  for (const { 0: word, index } of text.data.matchAll(/\S+\s*/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.trimEnd().length);
    for (const { left, top, height, width } of [...range.getClientRects()].slice(0, 1)) {
      if (width === 0) continue;
      const middle = top + height / 2;
      const last = lines.at(-1);
      if (last && Math.abs(last.middle - middle) < 1) last.words += word.replace(/\s+$/, ' ');
      else lines.push({ words: word.replace(/\s+$/, ' '), left, middle });
    }
  }
  return lines;
}
