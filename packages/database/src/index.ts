/**
 * PostgreSQL for Holdfast: the pool, the scope of an organisation, migrations and the embedded server.
 *
 * Every table with an organisation has row-level security, enabled and forced; a query runs inside
 * `within({ organisationId, realm }, tx => …)` and sees that organisation alone. Tables of the whole
 * installation (accounts, sessions) are reached by `installation`, published ids and times of all
 * organisations by `acrossOrganisations`. The pool is not exported: a query outside a scope does
 * not compile.
 *
 * A typical start: `startEmbedded` or a URL → `migrate` as the owner → `openDatabase` as the
 * application role → `createTaskQueue`, the queue on the same pool.
 * What the rows mean is not the business of this package: stores of the server's features know.
 */
export {
  openDatabase,
  type Database,
  type DatabaseOptions,
  type DirectoryTx,
  type InstallationTx,
  type Lookup,
  type Tx,
} from './access/database.ts';
export { alsoWithin } from './access/also-within.ts';
export { databaseErrorCodes, type DatabaseErrorCode } from './errors.ts';
export { organisationId, realms, type OrganisationId, type Realm, type Scope } from './access/scope.ts';
export { FOREVER } from './schema/catalog.ts';
export type { DirectoryTables, InstallationTables, OrganisationTables, Schema } from './schema/schema.ts';
export { migrate, migrationsFolder, type MigrationReport } from './migrations/migrate.ts';
export { startEmbedded, type EmbeddedOptions, type EmbeddedPostgres } from './embedded/server.ts';
export { noteVersion } from './embedded/data-directory.ts';
export { createTaskQueue, type NewTask, type Task, type TaskQueue, type WorkOptions } from './queue/task-queue.ts';
export type { QueueName } from './queue/queues.ts';
