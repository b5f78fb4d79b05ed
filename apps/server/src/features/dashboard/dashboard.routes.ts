import { mayDo } from '@holdfast/contract/actions';
import { dashboard } from '@holdfast/contract/dashboard';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import type { Workload } from '@holdfast/contract/values';
import type { Realm, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { JobsViews } from '../jobs/index.ts';
import type { ReportsViews } from '../reporting/index.ts';
import type { FiguresViews } from './figures.views.ts';
import type { GrowthViews } from './growth.views.ts';
import type { MailboxesViews } from './mailboxes.views.ts';
import type { AttentionSeen, OverviewViews } from './overview.views.ts';
import type { TeamsViews } from './teams.views.ts';

export interface DashboardParts {
  readonly figures: FiguresViews;
  readonly overview: OverviewViews;
  readonly growth: GrowthViews;
  readonly reports: Pick<ReportsViews, 'readiness'>;
  readonly teams: TeamsViews;
  readonly mailboxes: MailboxesViews;
  readonly jobs: JobsViews;
  readonly clock: Clock;
}

/** What the dashboard of backups shows; Teams has its own. */
const BACKED_UP = ['exchange', 'onedrive', 'sharepoint'] as const;
/** As many as the card beside it has lines. */
const NEXT_RUNS = 5;

/** Mounts the dashboards: figures accumulate over the last thirty days. */
export function createDashboardRoutes(app: HttpApp, parts: DashboardParts, realm: Realm): void {
  async function figuresOf(scope: Scope, tenantId: string, workload: Workload): Promise<WorkloadFigures> {
    const [found] = await parts.figures.workloads(scope, tenantId, now(parts.clock), [workload]);
    if (!found) throw new AppError('not-found');
    return found;
  }
  function seenBy({ actor, organisation }: Parameters<typeof scopeOf>[0] & { readonly actor: Actor }): AttentionSeen {
    const role = membershipIn(actor, organisation.organisationId, parts.clock.nowMs())?.role;
    return role ? { searches: mayDo(role, 'search.save'), requests: mayDo(role, 'dataRequests.manage') } : {};
  }
  mount(
    app,
    dashboard,
    {
      overview: (context) => parts.overview.overview(scopeOf(context), context.params.tenantId, now(parts.clock), seenBy(context)),
      attention: async (context) => ({
        items: await parts.overview.attention(scopeOf(context), context.params.tenantId, now(parts.clock), seenBy(context)),
      }),
      async growth(context) {
        const scope = scopeOf(context);
        const { tenantId } = context.params;
        return parts.growth.growth(scope, tenantId, now(parts.clock), await parts.overview.storage(scope, tenantId));
      },
      readiness: async (context) => ({
        items: await parts.reports.readiness(scopeOf(context), context.params.tenantId, now(parts.clock)),
      }),
      async backup(context) {
        const scope = scopeOf(context);
        const { tenantId } = context.params;
        const [workloads, nextRuns] = await Promise.all([
          parts.figures.workloads(scope, tenantId, now(parts.clock), BACKED_UP),
          parts.jobs.upcoming(scope, tenantId, NEXT_RUNS, 'backup'),
        ]);
        return { workloads, nextRuns };
      },
      exchange: (context) => figuresOf(scopeOf(context), context.params.tenantId, 'exchange'),
      onedrive: (context) => figuresOf(scopeOf(context), context.params.tenantId, 'onedrive'),
      sharepoint: (context) => figuresOf(scopeOf(context), context.params.tenantId, 'sharepoint'),
      async teams(context) {
        const scope = scopeOf(context);
        const { tenantId } = context.params;
        const [figures, content] = await Promise.all([
          figuresOf(scope, tenantId, 'teams'),
          parts.teams.content(scope, tenantId, now(parts.clock)),
        ]);
        return { ...figures, ...content };
      },
      teamActivity: (context) => parts.teams.activity(scopeOf(context), context.params.tenantId, context.query, now(parts.clock)),
      topMailboxes: async (context) => ({
        items: await parts.mailboxes.top(scopeOf(context), context.params.tenantId, context.query.by),
      }),
    },
    { surface: 'main', realm },
  );
}
