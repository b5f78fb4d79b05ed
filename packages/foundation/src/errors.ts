/** What an error may tell besides its code. Never secrets, never the content of messages. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

export interface AppErrorOptions {
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  /** A sentence for the log; the user's sentence comes from `phrases` by code. */
  readonly message?: string;
}

/**
 * The one error class. `code` decides what the caller does and what the user reads; each package
 * lists its own codes as a union, the server maps them to public ones.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;

  constructor(code: Code, options: AppErrorOptions = {}) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** True when `error` is an `AppError`, of one of `codes` when any are given. */
export function isAppError<Code extends string>(error: unknown, ...codes: readonly Code[]): error is AppError<Code> {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** The system's code of a failed call (`ENOENT`, `ECONNRESET`), if `error` carries one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A readable sentence for any thrown value, for logs. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
