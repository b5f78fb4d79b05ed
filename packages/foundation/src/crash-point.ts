/**
 * Named places around every durable step, where a test can end the process, throw or stall.
 * In production the handler is absent and a call costs one comparison.
 */
type CrashHandler = (name: string) => void | Promise<void>;

let handler: CrashHandler | undefined;

/** Passes the point `name`. Does nothing unless a test installed a handler. */
export function crashPoint(name: string): void | Promise<void> {
  return handler?.(name);
}

/** Installs what happens at crash points; `undefined` removes it. For tests only. */
export function onCrashPoint(next: CrashHandler | undefined): void {
  handler = next;
}
