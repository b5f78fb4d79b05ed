import { graphOutcome, isGraphError } from '@holdfast/m365';
import type { Defect } from '../../pipeline/step.ts';

/**
 * A file of an event or a task that could not be read, while the item itself could: it is named, and the item is read again.
 * Throws what is not of this file alone.
 */
export function fileDefect(error: unknown, label: string): Defect {
  const outcome = graphOutcome(error);
  if (!isGraphError(error) || (outcome !== 'gone' && outcome !== 'record' && outcome !== 'retry')) throw error;
  return { code: error.code, tried: [`attachment ${label}`] };
}
