import { AppError } from '@holdfast/foundation/errors';
import { RE2JS } from 're2js';

/** A text of the longest kind needs some 500 instructions; repeated classes that multiply would need many thousands a name. */
const MAX_INSTRUCTIONS = 600;

/**
 * Tells which names have an expression, whatever their case. It is run by RE2's rules: its time grows with the name
 * and never beyond, and one that would take long for each name is refused. Throws `discovery.expression-invalid`.
 */
export function nameMatcher(expression: string, field: string): (name: string) => boolean {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE);
  } catch (cause) {
    throw new AppError('discovery.expression-invalid', { details: { field }, cause });
  }
  if (compiled.programSize() > MAX_INSTRUCTIONS)
    throw new AppError('discovery.expression-invalid', { details: { field, rule: 'expressionTooLarge' } });
  return (name) => compiled.matcher(name).find();
}
