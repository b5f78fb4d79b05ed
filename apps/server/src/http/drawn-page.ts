import type { DrawnPage } from '@holdfast/contract/values';
import { AppError } from '@holdfast/foundation/errors';
import type { Drawing } from '@holdfast/previews';

/** A drawn page as the API has it, or why there is none to be shown. */
export function drawnPageOf(drawing: Drawing, notShown: 'content.not-shown' | 'documents.not-shown'): DrawnPage {
  if ('drawn' in drawing) return { ...drawing.drawn, picture: Buffer.from(drawing.drawn.picture).toString('base64') };
  if (drawing.problem === 'busy') throw new AppError('service.overloaded');
  throw new AppError(drawing.problem === 'no-such-page' ? 'not-found' : notShown);
}
