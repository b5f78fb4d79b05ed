import { accessLog } from '@holdfast/contract/access-log';
import { apiKeys } from '@holdfast/contract/api-keys';
import { appSetups } from '@holdfast/contract/app-setups';
import { approvals } from '@holdfast/contract/approvals';
import { archive } from '@holdfast/contract/archive';
import { archiveCompleteness } from '@holdfast/contract/archive-completeness';
import { archivedMessages } from '@holdfast/contract/archived-messages';
import { audit } from '@holdfast/contract/audit';
import { auditorAccesses } from '@holdfast/contract/auditor-access';
import { cases } from '@holdfast/contract/cases';
import { compliance } from '@holdfast/contract/compliance';
import { passkeys, passkeySignIn } from '@holdfast/contract/passkeys';
import { people } from '@holdfast/contract/people';
import { periodReports } from '@holdfast/contract/period-reports';
import { procedures } from '@holdfast/contract/procedures';
import { printedReports } from '@holdfast/contract/printed-reports';
import { configuration } from '@holdfast/contract/configuration';
import { contentAccess } from '@holdfast/contract/content-access';
import { content } from '@holdfast/contract/content';
import { dashboard } from '@holdfast/contract/dashboard';
import { dataRequests } from '@holdfast/contract/data-requests';
import { deletions } from '@holdfast/contract/deletions';
import { discovery } from '@holdfast/contract/discovery';
import { dispositions } from '@holdfast/contract/dispositions';
import { documents } from '@holdfast/contract/documents';
import { events } from '@holdfast/contract/events';
import { exports } from '@holdfast/contract/exports';
import { forwarding } from '@holdfast/contract/forwarding';
import { holdNoticeLinks, holdNotices } from '@holdfast/contract/hold-notices';
import { holds } from '@holdfast/contract/holds';
import { accounts, identity } from '@holdfast/contract/identity';
import { jobs } from '@holdfast/contract/jobs';
import { legacyArchive } from '@holdfast/contract/legacy/archive';
import { auth } from '@holdfast/contract/legacy/auth';
import { legacyRestore, scheduledJobs, statistics } from '@holdfast/contract/legacy/jobs';
import { lookups, teamLookups } from '@holdfast/contract/legacy/lookups';
import { basePaths, type BasePaths } from '@holdfast/contract/limits';
import { locations, workerLocations } from '@holdfast/contract/locations';
import { imports } from '@holdfast/contract/imports';
import { invitations } from '@holdfast/contract/invitations';
import { administration, members, membersAtRoot, organisations } from '@holdfast/contract/members';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { monitoring } from '@holdfast/contract/monitoring';
import { receivers } from '@holdfast/contract/receivers';
import { reporting } from '@holdfast/contract/reporting';
import { restore } from '@holdfast/contract/restore';
import { legacyProxyRights, proxyRights } from '@holdfast/contract/proxy-rights';
import { retention } from '@holdfast/contract/retention';
import { reviewMarks } from '@holdfast/contract/review-marks';
import { reviews } from '@holdfast/contract/reviews';
import type { Route, Routes } from '@holdfast/contract/route';
import { savedSearches } from '@holdfast/contract/saved-searches';
import { search } from '@holdfast/contract/search';
import { selections } from '@holdfast/contract/selections';
import { signInRules } from '@holdfast/contract/sign-in-rules';
import { support } from '@holdfast/contract/support';
import { tenants } from '@holdfast/contract/tenants';
import { undo } from '@holdfast/contract/undo';
import { selection, workers } from '@holdfast/contract/workers';

/** Every group of routes of the contract, by feature: what the document and the table of endpoints are made of. */
export const routeGroups: Readonly<Record<string, readonly Routes[]>> = {
  identity: [identity, accounts, auth, passkeys, passkeySignIn],
  organisations: [organisations, invitations, members, membersAtRoot, administration, signInRules],
  apiKeys: [apiKeys],
  microsoftSignIn: [microsoftSignIn],
  workers: [workers, selection],
  tenants: [tenants, appSetups],
  locations: [locations, workerLocations],
  configuration: [configuration],
  jobs: [jobs, scheduledJobs],
  monitoring: [monitoring],
  reporting: [reporting, statistics],
  dashboard: [dashboard],
  deletions: [deletions],
  dataRequests: [dataRequests],
  dispositions: [dispositions],
  discovery: [discovery, lookups, teamLookups],
  restore: [restore, legacyRestore],
  undo: [undo],
  content: [content, contentAccess],
  archive: [archive, archiveCompleteness, archivedMessages, legacyArchive],
  imports: [imports],
  receivers: [receivers],
  search: [search, savedSearches, selections],
  exports: [exports],
  cases: [cases],
  reviews: [reviews, reviewMarks],
  compliance: [compliance],
  people: [people],
  periodReports: [periodReports],
  printedReports: [printedReports],
  procedures: [procedures],
  events: [events],
  approvals: [approvals],
  holds: [holds],
  holdNotices: [holdNotices, holdNoticeLinks],
  retention: [retention],
  accessLog: [accessLog],
  proxyRights: [proxyRights, legacyProxyRights],
  auditorAccess: [auditorAccesses],
  audit: [audit],
  forwarding: [forwarding],
  documents: [documents],
  support: [support],
};

/** A route with the address it is served at in the production realm. */
export interface NamedRoute {
  readonly feature: string;
  readonly name: string;
  readonly path: string;
  readonly route: Route;
}

/** All routes, in the order of the groups. */
export function everyRoute({ main, legacy }: BasePaths = basePaths): NamedRoute[] {
  const bases = { main, legacy, root: '' } as const;
  return Object.entries(routeGroups).flatMap(([feature, groups]) =>
    groups.flatMap((routes) =>
      Object.entries(routes).map(([name, route]) => ({ feature, name, path: `${bases[route.surface ?? 'main']}${route.path}`, route })),
    ),
  );
}
