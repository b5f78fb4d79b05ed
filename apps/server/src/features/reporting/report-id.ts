import { createHash } from 'node:crypto';

/**
 * The id of a month's report: a UUID made from tenant and month, so that a link to it stays the same
 * although no row is written for it.
 */
export function reportIdOf(tenantId: string, month: Date): string {
  const bytes = createHash('sha256')
    .update(`report/${tenantId}/${month.toISOString().slice(0, 7)}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Months looked through at most: as long as the product can have been running. */
const MAX_MONTHS = 1_200;

/** The first moment of the month that a report id names, among those since `first`; undefined when it names none. */
export function monthOf(tenantId: string, reportId: string, first: Date | null): Date | undefined {
  if (first === null) return undefined;
  for (let offset = 0; offset < MAX_MONTHS; offset += 1) {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + offset, 1));
    if (reportIdOf(tenantId, month) === reportId) return month;
    if (month.getTime() > first.getTime() + 100 * 366 * 24 * 3_600_000) return undefined;
  }
  return undefined;
}
