import { graphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import { asObject } from '../client/checks.ts';
import type { RouteName } from '../client/routes/routes.ts';
import { readReport } from './csv.ts';
import type { ReportCalls, UsageReport } from './directory-api.ts';

const REPORT_LIMIT_BYTES = 512 * 1024 * 1024;

const ROUTES: Readonly<Record<UsageReport, RouteName>> = {
  mailbox: 'GET /reports/getMailboxUsageDetail(period={value})',
  oneDrive: 'GET /reports/getOneDriveUsageAccountDetail(period={value})',
  sharePoint: 'GET /reports/getSharePointSiteUsageDetail(period={value})',
  teams: 'GET /reports/getTeamsTeamActivityDetail(period={value})',
};

/** A report is a redirect to an address that is valid for minutes, which is read at once. */
async function readUsage(caller: Caller, report: UsageReport, period: string): Promise<Readonly<Record<string, string>>[]> {
  const route = ROUTES[report];
  const first = await caller.requester.perform({ route, params: [period] }, async (response) => ({
    location: response.headers['location'],
    isRedirect: response.status >= 300,
    bytes: await response.read(REPORT_LIMIT_BYTES),
  }));
  if (!first.isRedirect) return readReport(first.bytes.toString('utf8'));
  if (first.location === undefined) throw graphError('graph.unexpected-response', { request: route, reason: 'no Location' });
  const bytes = await caller.bytes({ route: 'GET reports:{reportUrl}', link: first.location }, REPORT_LIMIT_BYTES);
  return readReport(Buffer.from(bytes ?? []).toString('utf8'));
}

/** Calls of usage reports. */
export function createReportCalls(caller: Caller): ReportCalls {
  return Object.freeze<ReportCalls>({
    usage: (report, period) => readUsage(caller, report, period),
    async namesAreConcealed() {
      const settings = await caller.get({ route: 'GET /admin/reportSettings' }, asObject<{ displayConcealedNames?: boolean | null }>);
      return settings.displayConcealedNames === true;
    },
  });
}
