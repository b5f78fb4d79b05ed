/**
 * Microsoft 365, as one tenant's application sees it through Microsoft Graph.
 *
 * `createGraphClient(options)` gives typed calls by workload: `directory`, `reports`, `exchange`, `drives`, `sites`,
 * `teams`, `chats`. A call promises: it is charged to the budgets before it is sent and never sent while a bucket is
 * paused; what is transient has been repeated; what fails says by its code what must follow (`graphOutcome`); nothing
 * is written twice because an answer was lost; content streams never end short.
 *
 * A typical backup: `for await (const step of graph.exchange.mail.messageDelta({ userId, folderId }, cursor))`; a step
 * is a page of entries with the cursor behind it, or a reset after which the same loop lists everything anew. Restores
 * use `graph.with({ priority: 'restore', signal })`, which goes before backups.
 *
 * Not its business: what is stored, compared or shown; which items matter; schedules.
 */
export { createGraphClient } from './create-graph-client.ts';
export { createMemoryBudgets } from './client/budget/memory-budgets.ts';
export { countLicences } from './directory/licences.ts';
export { checkThumbprint, readCertificate, type CertificateFacts } from './sign-in/certificate.ts';
export { type Body, type Content, type CreateOptions, type Known, type Recover, type UploadSource } from './client/calls.ts';
export type {
  BudgetAnswer,
  BudgetCharge,
  BudgetClaim,
  BudgetPort,
  Priority,
  SlotCharge,
  WindowCharge,
} from './client/budget/budget-port.ts';
export type { Delta, DeltaCursor, DeltaEntry, DeltaPage, DeltaReset, DeltaStep, Listing } from './client/paging/paging-types.ts';
export type { DirectoryCalls, GroupRef, ReportCalls, UsageReport, UserRef } from './directory/directory-api.ts';
export type * from './drives/drives-api.ts';
export {
  graphError,
  graphErrorCodes,
  graphOutcome,
  isGraphError,
  outcomeOfCode,
  type GraphError,
  type GraphErrorCode,
  type GraphOutcome,
} from './errors/errors.ts';
export type * from './exchange/calendar-api.ts';
export type * from './exchange/exchange-api.ts';
export type * from './exchange/mail-api.ts';
export type { CallScope } from './client/call-scope.ts';
export type { GraphStatistics } from './client/request/counters.ts';
export type { GraphClient, GraphClientOptions, GraphEndpoints } from './graph-client.ts';
export type { GraphCredential } from './sign-in/credential.ts';
export { neededRoles } from './diagnosis/diagnose.ts';
export type { Diagnosis, NeededRole, RoleState, Workload } from './diagnosis/diagnosis.ts';
export type { ProbeResult } from './probes/probe-result.ts';
export type * from './sites/sites-api.ts';
export type * from './teams/teams-api.ts';
