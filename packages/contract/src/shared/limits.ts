/** The constants of the specification, section 9, and the ones the API adds. One place for each number. */
export const pdfMaxBytes = 3 * 1024 * 1024;
export const passwordMinLength = 6;
export const jobNameMinLength = 4;
/** An expression for the names of teams. */
export const teamExpressionMaxLength = 500;
export const verificationCodeDigits = 6;
export const cancelMaxMinutes = 2;
export const dashboardDays = 30;
export const topMailboxes = 10;
export const requestTimeoutMs = 500_000;
export const inactivityLogoutMs = 900_000;
export const inactivityWarningMs = 870_000;
export const toastAutoCloseMs = 5_000;
export const toastDragPercent = 80;
export const toastDefaultLimit = 5;
export const cookiePollMs = 300;
export const exportSheetNameLength = 32;
export const exportMaxWorksheets = 65_535;
/** "Unused" filters: 30 days, 8 weeks, 6 months. */
export const unusedFilters = { days30: { days: 30 }, weeks8: { weeks: 8 }, months6: { months: 6 } } as const;
export const pageSizeMax = 200;
export const pageSizes = [25, 50, 100] as const;
export const bodyMaxBytes = 1024 * 1024;
/** Where the API is served unless the operator chooses other paths. */
export const basePaths = { main: '/apollo', staging: '/apollo-beta', legacy: '/api' } as const;
export type BasePaths = Readonly<Record<keyof typeof basePaths, string>>;
/** A live stream that is silent for this long is broken, whatever the connection says. */
export const liveSilenceMs = 10_000;
/** How often the server says that it is still there: two signs of life may be late. */
export const liveSignMs = 3_000;
