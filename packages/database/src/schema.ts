import type { BaseInstallationTables } from './schema/installation.ts';

/**
 * Tables that belong to the installation, not to an organisation: accounts, sessions, limits.
 * A feature adds its tables in `schema/<feature>.ts` and extends one of these three.
 */
export interface InstallationTables extends BaseInstallationTables {}

/** Tables whose every row belongs to an organisation and a realm, under forced row-level security. */
export interface OrganisationTables {}

/** Columns (ids and times only) that are published to the directory: see `Database.acrossOrganisations`. */
export interface DirectoryTables {}

/** Everything a transaction within an organisation may touch. */
export interface Schema extends InstallationTables, OrganisationTables {}
