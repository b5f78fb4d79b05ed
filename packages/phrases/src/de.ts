import { profile } from './de/profile.ts';
import { approvals } from './de/approvals.ts';
import { archive } from './de/archive.ts';
import { exports } from './de/exports.ts';
import { imports } from './de/imports.ts';
import { receivers } from './de/receivers.ts';
import { accessLetter } from './de/access-letter.ts';
import { dataRequests } from './de/data-requests.ts';
import { deletions } from './de/deletions.ts';
import { erasureLetter } from './de/erasure-letter.ts';
import { retention } from './de/retention.ts';
import { workers } from './de/workers.ts';
import { apiKeys } from './de/api-keys.ts';
import { auditEvents } from './de/audit-events.ts';
import { audit } from './de/audit.ts';
import { people } from './de/people.ts';
import { periodReports } from './de/period-reports.ts';
import { procedures } from './de/procedures.ts';
import { documents } from './de/documents.ts';
import { cases } from './de/cases.ts';
import { forwarding } from './de/forwarding.ts';
import { holdNotices } from './de/hold-notices.ts';
import { holds } from './de/holds.ts';
import { noticePage } from './de/notice-page.ts';
import { accessLog } from './de/access-log.ts';
import { auditorAccess } from './de/auditor-access.ts';
import { proxyRights } from './de/proxy-rights.ts';
import { members } from './de/members.ts';
import { reports } from './de/reports.ts';
import { dashboard } from './de/dashboard.ts';
import { differences } from './de/differences.ts';
import { kinds } from './de/kinds.ts';
import { content } from './de/content.ts';
import { restore } from './de/restore.ts';
import { monitoring } from './de/monitoring.ts';
import { jobs } from './de/jobs.ts';
import { configuration } from './de/configuration.ts';
import { permissionUses } from './de/permission-uses.ts';
import { setups } from './de/setups.ts';
import { tenants } from './de/tenants.ts';
import { advice } from './de/advice.ts';
import { reasons } from './de/reasons.ts';
import { stages } from './de/stages.ts';
import { common } from './de/common.ts';
import { confirmations } from './de/confirmations.ts';
import { failures } from './de/failures.ts';
import { help } from './de/help.ts';
import { kit } from './de/kit.ts';
import { compliance } from './de/compliance.ts';
import { reviews } from './de/reviews.ts';
import { roles } from './de/roles.ts';
import { search } from './de/search.ts';
import { shell } from './de/shell.ts';
import { signIn } from './de/sign-in.ts';
import { status } from './de/status.ts';
import { successes } from './de/successes.ts';
import { errors } from './de/errors.ts';
import { rules } from './de/rules.ts';
import { mails } from './de/mails.ts';
import { validation } from './de/validation.ts';
import type { en } from './en.ts';
import type { SameKeys } from './catalogue/shape.ts';

/** German: must have every key of English. */
export const de: SameKeys<typeof en> = {
  profile,
  approvals,
  archive,
  exports,
  imports,
  receivers,
  accessLetter,
  dataRequests,
  deletions,
  erasureLetter,
  retention,
  audit,
  apiKeys,
  auditEvents,
  documents,
  people,
  periodReports,
  procedures,
  cases,
  forwarding,
  holdNotices,
  holds,
  noticePage,
  accessLog,
  proxyRights,
  auditorAccess,
  members,
  reports,
  dashboard,
  differences,
  kinds,
  content,
  restore,
  reviews,
  roles,
  monitoring,
  jobs,
  configuration,
  permissionUses,
  setups,
  tenants,
  advice,
  reasons,
  stages,
  common,
  compliance,
  confirmations,
  errors,
  failures,
  help,
  kit,
  mails,
  rules,
  search,
  shell,
  signIn,
  status,
  successes,
  validation,
  workers,
};
