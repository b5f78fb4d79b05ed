import { compliance as contract } from '@holdfast/contract/compliance';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { requestedBy } from '../../http/requested-by.ts';
import { askingOf } from '../identity/index.ts';
import type { ComparisonService } from './comparison.service.ts';
import type { ComplianceService } from './compliance.service.ts';
import type { KeptItemService } from './kept-item.service.ts';

/** Mounts the file manager, the dashboard, the reports and the scans, over one realm. */
export function mountCompliance(app: HttpApp, service: ComplianceService & ComparisonService & KeptItemService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      dashboard: (context) => service.dashboard(scopeOf(context), context.params.tenantId),
      reports: (context) => service.reports(scopeOf(context), context.params.tenantId, context.query),
      accounts: (context) => service.accounts(scopeOf(context), context.params, context.query),
      startScan: (context) => service.startScan(askingOf(context), context.params.tenantId),
      sites: (context) => service.sites(scopeOf(context), context.params.tenantId, context.query),
      nodes: (context) => service.nodes(scopeOf(context), context.params.tenantId, context.query),
      versions: (context) => service.versions(scopeOf(context), context.params.tenantId, context.query),
      keptItem: (context) => service.keptItem(requestedBy(context), context.params),
      compare: (context) => service.compare(requestedBy(context), context.params.tenantId, context.body, context.signal),
      kept: (context) => service.kept(scopeOf(context), context.params.tenantId, context.query),
      waste: (context) => service.waste(scopeOf(context), context.params.tenantId, context.query),
      cleanUps: (context) => service.cleanUps(scopeOf(context), context.params.tenantId, context.query),
      planCleanUp: (context) => service.planCleanUp(askingOf(context), context.params.tenantId, context.body),
      cleanUpScript: (context) => service.cleanUpScript(scopeOf(context), context.params),
      duplicates: (context) => service.duplicates(scopeOf(context), context.params.tenantId, context.query),
      stale: (context) => service.stale(scopeOf(context), context.params.tenantId, context.query),
      exposure: (context) => service.exposure(scopeOf(context), context.params.tenantId, context.query),
      sensitive: (context) => service.sensitive(scopeOf(context), context.params.tenantId, context.query),
      sensitiveConversations: (context) => service.sensitiveConversations(scopeOf(context), context.params.tenantId, context.query),
      storage: (context) => service.storage(scopeOf(context), context.params.tenantId, context.query),
      growth: (context) => service.growth(scopeOf(context), context.params.tenantId, context.query),
      owners: (context) => service.owners(scopeOf(context), context.params.tenantId, context.query),
      siteOwners: (context) => service.siteOwners(scopeOf(context), context.params.tenantId, context.query),
    },
    { surface: 'main', realm },
  );
}
