/** The styles of shapes that a canvas needs; those of text follow from its font. */
const ANCHORS: Readonly<Record<string, CanvasTextAlign>> = { middle: 'center', end: 'right' };

/** Paints a drawing on a canvas. The drawings of the page consist of paths, rectangles, text, groups and nested drawings. */
export function paintSvg(drawing: SVGSVGElement, context: CanvasRenderingContext2D): void {
  context.save();
  if (drawing.ownerSVGElement) clipTo(drawing, context);
  paintChildren(drawing, context);
  context.restore();
}

function paintChildren(parent: SVGElement, context: CanvasRenderingContext2D): void {
  for (const child of parent.children) {
    if (child instanceof SVGSVGElement) paintSvg(child, context);
    else if (child instanceof SVGGElement) paintChildren(child, context);
    else if (child instanceof SVGGraphicsElement) paintShape(child, context);
  }
}

/** Clips to the area of a nested drawing. */
function clipTo(drawing: SVGSVGElement, context: CanvasRenderingContext2D): void {
  const clip = new Path2D();
  const { x, y, width, height } = drawing;
  const parent = (drawing.ownerSVGElement as SVGSVGElement).getScreenCTM()!;
  const area = new Path2D();
  area.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
  clip.addPath(area, parent);
  context.clip(clip);
}

function paintShape(shape: SVGGraphicsElement, context: CanvasRenderingContext2D): void {
  const style = getComputedStyle(shape);
  const { a, b, c, d, e, f } = shape.getScreenCTM()!;
  context.save();
  context.transform(a, b, c, d, e, f);
  context.lineWidth = Number.parseFloat(style.strokeWidth);
  context.lineCap = style.strokeLinecap as CanvasLineCap;
  context.lineJoin = style.strokeLinejoin as CanvasLineJoin;
  context.setLineDash(
    style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat),
  );
  const opacity = Number(style.opacity);
  const fill = (paint: () => void): void => {
    if (style.fill === 'none') return;
    context.fillStyle = style.fill;
    context.globalAlpha = opacity * Number(style.fillOpacity);
    paint();
  };
  const stroke = (paint: () => void): void => {
    if (style.stroke === 'none') return;
    context.strokeStyle = style.stroke;
    context.globalAlpha = opacity * Number(style.strokeOpacity);
    paint();
  };
  if (shape instanceof SVGTextElement) {
    const [x, y] = [Number(shape.getAttribute('x')), Number(shape.getAttribute('y'))];
    const text = shape.textContent!;
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.textAlign = ANCHORS[style.textAnchor] ?? 'left';
    // The stroke keeps text legible on lines, and is behind the text.
    stroke(() => context.strokeText(text, x, y));
    fill(() => context.fillText(text, x, y));
  } else {
    const path = toPath(shape);
    fill(() => context.fill(path));
    stroke(() => context.stroke(path));
  }
  context.restore();
}

function toPath(shape: SVGGraphicsElement): Path2D {
  if (!(shape instanceof SVGRectElement)) return new Path2D(shape.getAttribute('d') ?? '');
  const path = new Path2D();
  const { x, y, width, height } = shape;
  path.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
  return path;
}
