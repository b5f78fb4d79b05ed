import { dispositions as dispositionRoutes } from '@holdfast/contract/dispositions';
import { retention as contract } from '@holdfast/contract/retention';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { RetainedDirectory } from './directory.service.ts';
import type { DispositionsService } from './dispositions.service.ts';
import type { RetentionAsking, RetentionService } from './retention.service.ts';

/** What is mounted: policies with their events, and reviews of what is past their maximums. */
export interface RetentionServices {
  readonly retention: RetentionService;
  readonly dispositions: DispositionsService;
  readonly directory: RetainedDirectory;
}

/** Mounts retention policies over one realm. */
export function mountRetention(app: HttpApp, { retention, dispositions, directory }: RetentionServices, realm: Realm): void {
  const asked = (context: AskedOfOrganisation & { readonly params: { readonly tenantId: string } }): RetentionAsking => ({
    ...askingOf(context),
    tenantId: context.params.tenantId,
  });
  mount(
    app,
    contract,
    {
      list: (context) => retention.list(asked(context)),
      get: (context) => retention.get(asked(context), context.params.policyId),
      create: (context) => retention.create(asked(context), context.body),
      update: (context) => retention.update(asked(context), context.params.policyId, context.body),
      remove: (context) => retention.remove(asked(context), context.params.policyId),
      preview: (context) => retention.preview(asked(context), context.params.policyId),
      activate: (context) => retention.activate(asked(context), context.params.policyId),
      stop: (context) => retention.stop(asked(context), context.params.policyId),
      end: (context) => retention.end(asked(context), context.params.policyId, context.body.reason),
      events: (context) => retention.events(asked(context)),
      labels: (context) => retention.labels(asked(context)),
      directory: (context) => directory.state(asked(context).scope, context.params.tenantId),
      readDirectory: (context) => directory.ask(asked(context).scope, context.params.tenantId),
      deeds: (context) => retention.deeds(asked(context), context.query),
      recordEvents: (context) => retention.recordEvents(asked(context), context.body),
      recordEvent: (context) => retention.recordEvent(asked(context), context.body),
    },
    { surface: 'main', realm },
  );
  mount(
    app,
    dispositionRoutes,
    {
      list: (context) => dispositions.list(asked(context), context.query),
      decide: (context) => dispositions.decide(asked(context), context.body),
    },
    { surface: 'main', realm },
  );
}
