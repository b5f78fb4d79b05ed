import { profile } from './en/profile.ts';
import { approvals } from './en/approvals.ts';
import { archive } from './en/archive.ts';
import { exports } from './en/exports.ts';
import { imports } from './en/imports.ts';
import { receivers } from './en/receivers.ts';
import { accessLetter } from './en/access-letter.ts';
import { dataRequests } from './en/data-requests.ts';
import { deletions } from './en/deletions.ts';
import { erasureLetter } from './en/erasure-letter.ts';
import { retention } from './en/retention.ts';
import { workers } from './en/workers.ts';
import { apiKeys } from './en/api-keys.ts';
import { auditEvents } from './en/audit-events.ts';
import { audit } from './en/audit.ts';
import { people } from './en/people.ts';
import { periodReports } from './en/period-reports.ts';
import { procedures } from './en/procedures.ts';
import { documents } from './en/documents.ts';
import { cases } from './en/cases.ts';
import { forwarding } from './en/forwarding.ts';
import { holdNotices } from './en/hold-notices.ts';
import { holds } from './en/holds.ts';
import { noticePage } from './en/notice-page.ts';
import { accessLog } from './en/access-log.ts';
import { auditorAccess } from './en/auditor-access.ts';
import { proxyRights } from './en/proxy-rights.ts';
import { members } from './en/members.ts';
import { reports } from './en/reports.ts';
import { dashboard } from './en/dashboard.ts';
import { differences } from './en/differences.ts';
import { kinds } from './en/kinds.ts';
import { content } from './en/content.ts';
import { restore } from './en/restore.ts';
import { monitoring } from './en/monitoring.ts';
import { jobs } from './en/jobs.ts';
import { configuration } from './en/configuration.ts';
import { permissionUses } from './en/permission-uses.ts';
import { setups } from './en/setups.ts';
import { tenants } from './en/tenants.ts';
import { advice } from './en/advice.ts';
import { reasons } from './en/reasons.ts';
import { stages } from './en/stages.ts';
import { common } from './en/common.ts';
import { confirmations } from './en/confirmations.ts';
import { failures } from './en/failures.ts';
import { help } from './en/help.ts';
import { kit } from './en/kit.ts';
import { compliance } from './en/compliance.ts';
import { reviews } from './en/reviews.ts';
import { roles } from './en/roles.ts';
import { search } from './en/search.ts';
import { shell } from './en/shell.ts';
import { signIn } from './en/sign-in.ts';
import { status } from './en/status.ts';
import { successes } from './en/successes.ts';
import { errors } from './en/errors.ts';
import { rules } from './en/rules.ts';
import { mails } from './en/mails.ts';
import { validation } from './en/validation.ts';

/** English: the source of every key. A feature adds its file here and in `de.ts`. */
export const en = {
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
} as const;
