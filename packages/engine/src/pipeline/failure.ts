import type { AppError } from '@holdfast/foundation/errors';
import { isAppError } from '@holdfast/foundation/errors';
import { graphOutcome, isGraphError, type GraphErrorCode } from '@holdfast/m365';
import type { Advice } from '../ports/problems.ts';

/** What a failure does to the run: nothing, one item, or its end. */
export type FailureEffect = 'gone' | 'record' | 'exclude' | 'abort';

export interface FailureClass {
  readonly effect: FailureEffect;
  readonly code: string;
  readonly advice: Advice;
  readonly tried: readonly string[];
  readonly requestId?: string;
}

const ADVICE: Readonly<Partial<Record<GraphErrorCode, Advice>>> = {
  'graph.permission-missing': 'grantRole',
  'graph.mailbox-missing': 'assignLicence',
  'graph.mailbox-closed': 'askAccessPolicy',
  'graph.drive-missing': 'waitForProvisioning',
  'graph.quota-full': 'freeSpace',
  'graph.malware': 'removeMalware',
  'graph.locked': 'unlockItem',
  'graph.site-archived': 'reactivate',
  'graph.file-archived': 'reactivate',
  'graph.corrupt-item': 'checkSource',
  'graph.resource-gone': 'none',
};

/** What the reader of the error list can do about a code. */
export function adviceFor(code: string): Advice {
  return ADVICE[code as GraphErrorCode] ?? 'retryNextRun';
}

function requestIdOf(error: AppError): string | undefined {
  const { requestId } = error.details;
  return typeof requestId === 'string' ? requestId : undefined;
}

function effectOf(error: unknown): FailureEffect {
  switch (graphOutcome(error)) {
    case 'gone':
      return 'gone';
    case 'record':
    case 'retry':
    case 'reEnumerate':
      return 'record';
    case 'exclude':
      // Access that was closed under way may be opened again: the items that it hit are looked for in the next run.
      return isResourceExcluded(error) ? 'record' : 'exclude';
    case 'resource':
    case 'tenant':
    case undefined:
      return 'abort';
  }
}

/**
 * What a failure while one item was read means. Failures of the vault, of the catalog, of the whole
 * resource or tenant, and everything unknown end the run.
 */
export function classifyFailure(error: unknown, signal: AbortSignal): FailureClass {
  const code = isAppError(error) ? error.code : 'internal';
  const requestId = isAppError(error) ? requestIdOf(error) : undefined;
  const effect = signal.aborted ? 'abort' : effectOf(error);
  const tried = isAppError(error) && Array.isArray(error.details['tried']) ? (error.details['tried'] as readonly string[]) : [];
  return { effect, code, advice: adviceFor(code), tried, ...(requestId === undefined ? {} : { requestId }) };
}

/** True when the whole resource can't be protected for a lasting reason. */
export function isResourceExcluded(error: unknown): boolean {
  return isGraphError(error, 'graph.mailbox-missing', 'graph.mailbox-closed', 'graph.drive-missing', 'graph.site-archived');
}
