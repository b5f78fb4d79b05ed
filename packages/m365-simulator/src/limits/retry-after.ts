export type RetryAfterForm = 'integer' | 'decimal' | 'date';

/** What stands in `Retry-After`, and when the pause ends for a client that reads it to the letter. */
export interface Pause {
  readonly header: string;
  readonly untilMs: number;
}

/** Writes a pause of at least `waitMs` in one of the three forms that the services use. */
export function pauseFor(nowMs: number, waitMs: number, form: RetryAfterForm): Pause {
  if (form === 'date') {
    const untilMs = Math.ceil((nowMs + Math.max(1, waitMs)) / 1000) * 1000;
    return { header: new Date(untilMs).toUTCString(), untilMs };
  }
  if (form === 'decimal') {
    const header = (Math.max(1, waitMs) / 1000).toFixed(3);
    return { header, untilMs: nowMs + Math.round(Number(header) * 1000) };
  }
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { header: String(seconds), untilMs: nowMs + seconds * 1000 };
}
