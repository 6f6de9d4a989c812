import type { Path } from '../json/path.ts';
import type { Report } from '../rules/findings.ts';
import { shown } from './checkSchema.ts';
import { memberShape, resolveShape, type Shape } from './shape.ts';

/** Reports fields that the schema does not name. Readers accept them; under `strict` they are shown. */
export function checkUnknownFields(report: Report, value: unknown, shape: Shape, path: Path = []): void {
  if (typeof value !== 'object' || value === null) return;
  const resolved = resolveShape(shape, value);
  if (Array.isArray(value)) {
    if (resolved.kind === 'array')
      value.forEach((item, index) => {
        checkUnknownFields(report, item, resolved.items, [...path, index]);
      });
    return;
  }
  for (const [key, item] of Object.entries(value)) checkField(report, key, item, resolved, [...path, key]);
}

function checkField(report: Report, key: string, value: unknown, shape: Shape, path: Path): void {
  const known = memberShape(shape, key, value);
  if (known) checkUnknownFields(report, value, known, path);
  else report('field-unknown', path, `is ${shown(value)}; the schema has no such field here`);
}
