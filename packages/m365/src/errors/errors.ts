import { AppError, isAppError, type ErrorDetails } from '@holdfast/foundation/errors';

/**
 * What a failure must lead to. The client has already done what it can by itself (waited, repeated,
 * renewed a token or an address) before a failure reaches the caller.
 *
 * - `retry`: transient, the client's own tries are used up. Try the item again at the end of the run, then record it.
 * - `gone`: deleted in the meantime. Skip and count; no error.
 * - `record`: the item belongs in the error list and the run is defective.
 * - `exclude`: permanent and expected. List it under "what is not protected".
 * - `reEnumerate`: change tracking has to start again. Delta calls do so themselves; no caller sees it.
 * - `resource`: this mailbox, drive, site, team or chat fails; the run goes on with the others.
 * - `tenant`: nothing more can be done for this tenant; the run ends.
 */
export type GraphOutcome = 'retry' | 'gone' | 'record' | 'exclude' | 'reEnumerate' | 'resource' | 'tenant';

/** Every code this package throws, with its outcome. */
const OUTCOMES = {
  // Sign-in: the state of the tenant, never repeated by itself.
  'graph.credentials-refused': 'tenant',
  'graph.credentials-expired': 'tenant',
  'graph.certificate-refused': 'tenant',
  'graph.certificate-invalid': 'tenant',
  'graph.thumbprint-mismatch': 'tenant',
  'graph.clock-skewed': 'tenant',
  'graph.client-unknown': 'tenant',
  'graph.tenant-unknown': 'tenant',
  'graph.access-withdrawn': 'tenant',
  'graph.sign-in-unavailable': 'tenant',
  'graph.token-refused': 'tenant',
  // Whole resources.
  'graph.permission-missing': 'resource',
  'graph.access-denied': 'resource',
  'graph.resource-gone': 'resource',
  'graph.quota-full': 'resource',
  'graph.endless-pages': 'resource',
  'graph.foreign-host': 'resource',
  'graph.mailbox-missing': 'exclude',
  'graph.mailbox-closed': 'exclude',
  'graph.drive-missing': 'exclude',
  'graph.site-archived': 'exclude',
  // Items.
  'graph.item-gone': 'gone',
  'graph.folder-gone': 'gone',
  'graph.malware': 'exclude',
  'graph.file-archived': 'exclude',
  'graph.corrupt-item': 'record',
  'graph.locked': 'retry',
  'graph.name-taken': 'record',
  'graph.precondition-failed': 'record',
  'graph.changed-while-reading': 'retry',
  'graph.too-large': 'record',
  'graph.sharing-refused': 'record',
  'graph.sent-mail-fixed': 'record',
  'graph.write-uncertain': 'record',
  'graph.bad-request': 'record',
  'graph.range-refused': 'record',
  'graph.unexpected-response': 'record',
  // Change tracking.
  'graph.delta-expired': 'reEnumerate',
  'graph.delta-refused': 'reEnumerate',
  // The service or the way to it.
  'graph.throttled': 'retry',
  'graph.service-fault': 'retry',
  'graph.page-too-large': 'retry',
  'graph.network': 'retry',
  'graph.truncated': 'retry',
  'graph.address-expired': 'retry',
  'graph.not-implemented': 'tenant',
} as const satisfies Record<string, GraphOutcome>;

export type GraphErrorCode = keyof typeof OUTCOMES;
export type GraphError = AppError<GraphErrorCode>;

/** Every code of this package, for exhaustive tables. */
export const graphErrorCodes = Object.keys(OUTCOMES) as readonly GraphErrorCode[];

/** What a code must lead to. */
export function outcomeOfCode(code: GraphErrorCode): GraphOutcome {
  return OUTCOMES[code];
}

/** What a thrown value must lead to; `undefined` when it is not an error of this package. */
export function graphOutcome(error: unknown): GraphOutcome | undefined {
  return isGraphError(error) ? OUTCOMES[error.code] : undefined;
}

/** True for an error of this package, of one of `codes` when any are given. */
export function isGraphError(error: unknown, ...codes: readonly GraphErrorCode[]): error is GraphError {
  if (!isAppError(error) || !(error.code in OUTCOMES)) return false;
  return codes.length === 0 || codes.includes(error.code as GraphErrorCode);
}

/**
 * An error of this package. `details` may hold `status`, `serviceCode`, `requestId`, `clientRequestId`, `request`
 * (method and path without identifiers), `roles`, `tries`, `retryAfterMs`; never tokens, addresses with secrets, or content.
 */
export function graphError(code: GraphErrorCode, details: ErrorDetails = {}, cause?: unknown): GraphError {
  return new AppError(code, { details, ...(cause === undefined ? {} : { cause }) });
}
