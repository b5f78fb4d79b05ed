import { AppError } from '@holdfast/foundation/errors';

/** Something of a file that is not as its format says. */
export function damaged(what: string): AppError {
  return new AppError('import.damaged', { message: `An Outlook file cannot be read: ${what}.` });
}
