import { isKnownErrorCode } from './error-codes.ts';
import type { Findings } from './findings.ts';
import { isRecord, report } from './findings.ts';

const TOP = new Set(['code', 'message', 'innerError', 'innererror', 'details', 'target', 'localizedMessage', 'retryAfterSeconds']);
const INNER = new Set(['code', 'message', 'date', 'request-id', 'client-request-id', 'innerError', 'innererror', 'status', 'type']);

function checkCode(findings: Findings, code: unknown): void {
  const isKnown = typeof code === 'string' && isKnownErrorCode(code);
  if (!isKnown) report(findings, `${JSON.stringify(code)} is no documented code`);
}

function checkInner(findings: Findings, value: unknown): void {
  if (!isRecord(value)) {
    report(findings, 'the inner error is not an object');
    return;
  }
  for (const name of Object.keys(value)) if (!INNER.has(name)) report(findings, `${name} is no part of an inner error`);
  if (value['code'] !== undefined) checkCode(findings, value['code']);
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
  checkCode(findings, error['code']);
  if (typeof error['message'] !== 'string') report(findings, 'an error has no message');
  const inner = error['innerError'] ?? error['innererror'];
  if (inner !== undefined) checkInner(findings, inner);
  findings.trail.pop();
}
