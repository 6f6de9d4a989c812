import { paintPage } from './paintPage.ts';

/** The pixels of a picture for each pixel of the page, so that text is sharp. */
const PIXEL_RATIO = 2;
/** Space around an element in its picture, in pixels. */
const PADDING = 12;

/** An area of the page, in pixels from the corner of the window. */
type Area = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** Saves an element of the page as a picture. */
export function savePicture(element: Element, name: string): void {
  const { left, top, width, height } = element.getBoundingClientRect();
  const area = {
    left: left - PADDING,
    top: top - PADDING,
    width: width + 2 * PADDING,
    height: height + 2 * PADDING,
  };
  download(paint(element, area), name);
}

/** Saves the verdict, the tiles and the first charts as a picture. */
export function saveFirstScreen(name: string): void {
  const { left, top, width } = document.body.getBoundingClientRect();
  const figures = [...document.querySelectorAll('figure')].map(figure => figure.getBoundingClientRect());
  const first = Math.max(innerHeight, ...figures.slice(0, 1).map(each => each.bottom - top));
  const bottoms = figures.filter(each => each.top - top < first).map(each => each.bottom - top);
  const height = Math.max(0, ...bottoms, ...(bottoms.length === 0 ? [first] : []));
  download(paint(document.body, { left, top, width, height: height + PADDING }), name);
}

function paint(element: Element, { left, top, width, height }: Area): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * PIXEL_RATIO);
  canvas.height = Math.round(height * PIXEL_RATIO);
  const context = canvas.getContext('2d')!;
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.translate(-left, -top);
  paintPage(element, context, top + height);
  return canvas;
}

function download(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob(blob => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob!);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
