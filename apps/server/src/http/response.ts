import { errors, type ErrorCode } from '@holdfast/contract/errors';
import type { Route } from '@holdfast/contract/route';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';

/** What every route can answer besides what it declares. */
const COMMON: ReadonlySet<string> = new Set<ErrorCode>([
  'request.invalid',
  'request.malformed-id',
  'request.malformed-json',
  'request.unsupported-type',
  'request.too-large',
  'request.rate-limited',
  'request.precondition-failed',
  'request.idempotency-conflict',
  'unauthorized',
  'access-denied',
  'access.outside-networks',
  'not-found',
  'internal',
  'service.overloaded',
  'service.unavailable',
  'identity.second-factor-required',
  'identity.email-not-confirmed',
  'identity.local-sign-in-required',
]);

/** True when the route says that it can answer this status. */
export function isDeclared(route: Route, status: number, code: ErrorCode): boolean {
  if (COMMON.has(code) || route.errors?.includes(code) === true) return true;
  return (route.errors ?? []).some((declared) => errors[declared] === status && declared === code);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function undeclaredKey(value: Record<string, unknown>, parsed: Record<string, unknown>, path: string): string | undefined {
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    if (!Object.hasOwn(parsed, key)) return `${path}.${key}`;
    const found = undeclaredPath(entry, parsed[key], `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

function undeclaredPath(value: unknown, parsed: unknown, path: string): string | undefined {
  if (Array.isArray(value) && Array.isArray(parsed)) {
    for (const [index, entry] of value.entries()) {
      const found = undeclaredPath(entry, parsed[index], `${path}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  return isRecord(value) && isRecord(parsed) ? undeclaredKey(value, parsed, path) : undefined;
}

/**
 * Picks from `value` what the schema declares. With `isStrict` (tests) a field that would fall away
 * is an error, so that nobody believes it is sent.
 */
export function pickDeclared(schema: z.ZodType, value: unknown, isStrict: boolean): unknown {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new AppError('internal', { message: 'The answer does not match its schema.', cause: result.error });
  }
  if (isStrict) {
    const field = undeclaredPath(value, result.data, 'answer');
    if (field) throw new AppError('internal', { message: `The answer has a field that the contract does not declare: ${field}` });
  }
  return result.data;
}
