import type { Path } from '../json/path.ts';
import type { Report } from '../rules/findings.ts';
import { formatValue } from './checkSchema.ts';
import { findMemberShape, resolveShape, type Shape } from './shape.ts';

/** Reports fields that are not in the schema. Readers accept unknown fields; `strict` reports them. */
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
  const known = findMemberShape(shape, key, value);
  if (known) checkUnknownFields(report, value, known, path);
  else report('field-unknown', path, `is ${formatValue(value)}; the field is not in the schema`);
}
