import { ApiError } from '../../../api/api-error.ts';

/** The identity API names faults by its own keys; the reader sees their words at the field. */
export function faultWords(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return Object.values(error.fields).flat()[0] ?? error.message;
}
