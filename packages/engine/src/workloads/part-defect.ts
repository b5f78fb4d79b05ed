import { graphOutcome, isGraphError } from '@holdfast/m365';
import { MISSING_PART } from '../pipeline/gone.ts';
import type { Defect } from '../pipeline/step.ts';

/**
 * A part of an item that could not be read, while the item itself could. That it is gone is a defect too: the item still
 * names it, whether it is gone for good or a wrong answer said so. Throws what is not of this part alone.
 */
export function partDefect(error: unknown, part: string, tried: readonly string[]): Defect {
  const outcome = graphOutcome(error);
  if (outcome === 'gone') return { code: MISSING_PART, tried, part };
  if (outcome !== 'record' && outcome !== 'retry') throw error;
  return { code: isGraphError(error) ? error.code : 'internal', tried };
}
