import { isErrorCode } from '@holdfast/contract/errors';
import type { PhraseKey, Translate } from '../i18n/phrase-key.ts';
import type { ToastKind, Toasts } from '../toasts/toast.ts';
import { ApiError } from './api-error.ts';

/** How a failed call may be shown. */
export interface FailureContext {
  /** The disable-toast flag: the caller shows the failure itself. */
  readonly quiet: boolean;
  readonly background: boolean;
  /** Downloads have a sentence of their own. */
  readonly download: boolean;
  /** What is said when the answer brought no words. */
  readonly failure?: PhraseKey;
}

export interface ShownFailure {
  readonly kind: ToastKind;
  readonly text: string;
  readonly once?: string;
}

const networkToast = 'network';

/** Statuses whose toast the disable-toast flag suppresses. */
const quietable = new Set([400, 404, 409, 422]);

/** The message of an answer: by its code in the reader's language, else the server's words (spec section 8). */
export function messageOf(error: unknown, text: Translate, language: string, fallback?: PhraseKey): string {
  if (!(error instanceof ApiError)) return error instanceof Error && error.message !== '' ? error.message : text('failures.unknown');
  if (error.failure.kind === 'network') return text('failures.network');
  const { problem } = error.failure;
  const byCode = language === 'en' ? null : translated(error, text);
  return byCode ?? problem?.message ?? problem?.title ?? (fallback === undefined ? error.message : text(fallback));
}

/** The text of a known code; null where the text has gaps that the answer does not fill. */
function translated(error: ApiError, text: Translate): string | null {
  const { code } = error;
  if (code === undefined || !isErrorCode(code)) return null;
  const { problem } = error.failure;
  const attempts = problem?.['attempts'];
  const phrase = text(`errors.${code}`, typeof attempts === 'number' ? { count: attempts } : {});
  return phrase.includes('{{') ? null : phrase;
}

const byStatus: Readonly<Record<number, PhraseKey>> = {
  500: 'failures.internal',
  502: 'failures.temporary',
  503: 'failures.temporary',
  504: 'failures.temporary',
};

function ofStatus(error: ApiError, text: Translate, message: string): ShownFailure {
  const { status, retryAfterSeconds } = error.failure;
  if (status === 403 && error.code === 'access-denied') return { kind: 'error', text: text('failures.accessDenied') };
  if (status === 429) {
    const waiting = retryAfterSeconds === undefined ? message : text('failures.rateLimited', { seconds: retryAfterSeconds });
    return { kind: 'warning', text: waiting };
  }
  return { kind: 'error', text: status < 500 ? message : ofServer(error, text, message) };
}

/** A fault of the server, in its own words where it has any. */
function ofServer(error: ApiError, text: Translate, message: string): string {
  const { status, problem } = error.failure;
  // An answer without words comes from a proxy, or from a server at its end.
  const shown = problem?.message === undefined && problem?.title === undefined ? text(byStatus[status] ?? 'failures.later') : message;
  const isNamed = status === 500 && error.requestId !== undefined;
  return isNamed ? text('failures.withRequestId', { message: shown, id: error.requestId }) : shown;
}

/** What a failure shows, if anything. The first row that fits applies. */
export function shownFor(error: unknown, context: FailureContext, words: { text: Translate; language: string }): ShownFailure | null {
  if (!(error instanceof ApiError)) return context.background ? null : { kind: 'error', text: words.text('failures.unknown') };
  return context.background ? null : ofFailure(error, context, words);
}

function ofFailure(
  error: ApiError,
  context: FailureContext,
  { text, language }: { text: Translate; language: string },
): ShownFailure | null {
  const { failure } = error;
  if (failure.kind === 'network') return { kind: 'warning', text: text('failures.network'), once: networkToast };
  if (context.quiet && (quietable.has(failure.status) || failure.status === 401)) return null;
  if (context.download) return { kind: 'error', text: text('failures.download') };
  // Reads of one thing set the flag and say "not found" in place, and what was sent and is not there is named by its
  // field: this sentence would be wrong there.
  if (failure.status === 404 && failure.problem?.errors === undefined) return { kind: 'warning', text: text('failures.noTenant') };
  // The visitor is on the way to the sign-in page, or looks at the dialog of two states.
  if ((failure.status === 401 && !failure.legacy) || failure.status === 412) return null;
  return ofStatus(error, text, messageOf(error, text, language, context.failure));
}

/** Dismisses every toast, then shows the one for this failure. */
export function announceFailure(shown: ShownFailure | null, toasts: Toasts): void {
  if (shown?.once !== undefined && toasts.isShown(shown.once)) return;
  toasts.dismissAll();
  if (shown !== null) toasts.show(shown.kind, shown.text, shown.once === undefined ? {} : { once: shown.once });
}
