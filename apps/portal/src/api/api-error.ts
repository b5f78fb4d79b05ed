import type { Problem } from '@holdfast/contract/values';

/** Why a call failed: the server said so, it could not be reached, or it took too long. */
export type FailureKind = 'answer' | 'network';

export interface Failure {
  readonly kind: FailureKind;
  readonly status: number;
  readonly problem?: Partial<Problem> & Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  /** The call was to the legacy surface, or was the sign-in itself: both are told apart on a 401. */
  readonly legacy: boolean;
  readonly path: string;
}

/** A failed call. What the reader is told is decided once, in `failures.ts`; callers get this as well. */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.problem?.message ?? failure.problem?.title ?? `HTTP ${failure.status}`, options);
    this.name = 'ApiError';
    this.failure = failure;
  }

  get status(): number {
    return this.failure.status;
  }

  get code(): string | undefined {
    return this.failure.problem?.code;
  }

  get requestId(): string | undefined {
    return this.failure.problem?.requestId;
  }

  /** Faults by field, as the server names them. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    return this.failure.problem?.errors ?? {};
  }
}

/** True for a failure with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
