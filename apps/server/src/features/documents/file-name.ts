import { AppError } from '@holdfast/foundation/errors';

const MAX_CHARACTERS = 200;
/** Control characters, marks that turn the direction of a text, separators of paths, and what Windows refuses in names. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/u;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The name of an uploaded file as people will see it: `documents.pdf-only` for one that does not end in .pdf. */
export function documentFileName(given: string): string {
  const name = given.normalize('NFC');
  const field = { details: { field: 'file' } };
  const isPlain =
    !FORBIDDEN.test(name) && !DEVICE.test(name) && name === name.trim() && name.length <= MAX_CHARACTERS && /^[^.]/.test(name);
  if (!name.toLowerCase().endsWith('.pdf')) throw new AppError('documents.pdf-only', field);
  if (!isPlain) throw new AppError('documents.name-refused', field);
  return name;
}
