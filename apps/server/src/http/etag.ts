import { AppError } from '@holdfast/foundation/errors';
import type { RequestInfo } from './context.ts';

/** The version that `If-Match` asks for; undefined when the client did not ask. */
export function expectedVersion(request: RequestInfo): string | undefined {
  const header = request.headers['if-match'];
  if (typeof header !== 'string' || header === '*') return undefined;
  return header.replace(/^W\//, '').replaceAll('"', '');
}

/** Refuses with `request.precondition-failed` when the client saw another version than the current one. */
export function requireVersion(request: RequestInfo, current: string | number): void {
  const expected = expectedVersion(request);
  if (expected !== undefined && expected !== String(current)) throw new AppError('request.precondition-failed');
}
