/** Codes that this package throws. The server maps each to a public one. */
export const databaseErrorCodes = [
  'database.unavailable',
  'database.malformed-id',
  'database.newer-schema',
  'database.edited-migration',
  'database.roles-missing',
  'database.data-directory-newer',
  'database.data-directory-unusable',
  'database.binaries-missing',
  'database.did-not-start',
] as const;
export type DatabaseErrorCode = (typeof databaseErrorCodes)[number];
