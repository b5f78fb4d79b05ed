import type { Findings } from './check-value.ts';
import { isKnownErrorCode } from './error-codes.ts';

const TOP = new Set(['code', 'message', 'innerError', 'innererror', 'details', 'target', 'localizedMessage', 'retryAfterSeconds']);
const INNER = new Set(['code', 'message', 'date', 'request-id', 'client-request-id', 'innerError', 'innererror', 'status', 'type']);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function report(findings: Findings, message: string): void {
  findings.found.push({ pointer: `/${findings.trail.join('/')}`, message });
}

function checkInner(findings: Findings, value: unknown): void {
  if (!isRecord(value)) {
    report(findings, 'the inner error is not an object');
    return;
  }
  for (const name of Object.keys(value)) if (!INNER.has(name)) report(findings, `${name} is no part of an inner error`);
  if (value['code'] !== undefined && !isKnownErrorCode(String(value['code']))) {
    report(findings, `${String(value['code'])} is no documented inner code`);
  }
  const nested = value['innerError'] ?? value['innererror'];
  if (nested !== undefined) checkInner(findings, nested);
}

/** Checks the body of a 4xx or 5xx: `{"error":{"code","message","innerError"}}` with a documented code. */
export function checkError(findings: Findings, body: unknown): void {
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error)) {
    report(findings, 'the body of an error has no object called error');
    return;
  }
  findings.trail.push('error');
  for (const name of Object.keys(error)) if (!TOP.has(name)) report(findings, `${name} is no part of an error`);
  if (typeof error['code'] !== 'string' || !isKnownErrorCode(error['code'])) {
    report(findings, `${String(error['code'])} is no documented code`);
  }
  if (typeof error['message'] !== 'string') report(findings, 'an error has no message');
  const inner = error['innerError'] ?? error['innererror'];
  if (inner !== undefined) checkInner(findings, inner);
  findings.trail.pop();
}
