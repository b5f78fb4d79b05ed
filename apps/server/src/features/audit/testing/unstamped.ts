import type { LogStamps } from '../log-stamps.ts';

/** A log that nobody stamps. */
export const unstamped: LogStamps = {
  covering: async () => undefined,
  problems: async () => [],
  state: async () => undefined,
};
