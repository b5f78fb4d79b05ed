import { legacyProxyRights, proxyRights } from '@holdfast/contract/proxy-rights';
import type { Realm } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { ExemptionsService } from './exemptions.service.ts';
import type { ProxyAsking, ProxyRightsService } from './proxy-rights.service.ts';

/** A call of the legacy surface is about the tenant in use. */
function inUse(context: AskedOfOrganisation): ProxyAsking {
  const { tenantId } = context.organisation;
  if (tenantId === undefined) throw new AppError('not-found');
  return { ...askingOf(context), tenantId };
}

/** Mounts proxy rights over one realm, and under the names of the specification. */
export function mountProxyRights(
  app: HttpApp,
  { rights: service, exemptions }: { readonly rights: ProxyRightsService; readonly exemptions: ExemptionsService },
  realm: Realm,
): void {
  const asked = (context: AskedOfOrganisation & { readonly params: { readonly tenantId: string } }): ProxyAsking => ({
    ...askingOf(context),
    tenantId: context.params.tenantId,
  });
  mount(
    app,
    proxyRights,
    {
      list: (context) => service.list(asked(context), context.query),
      get: (context) => service.get(asked(context), context.params.proxyRightId),
      exemptions: (context) => exemptions.list(asked(context)),
      exempt: (context) => exemptions.add(asked(context), context.body),
      endExemption: (context) => exemptions.end(asked(context), context.params.exemptionId, context.body.reason),
      grant: (context) => service.grant(asked(context), context.body),
      remove: (context) => service.remove(asked(context), context.params.proxyRightId),
    },
    { surface: 'main', realm },
  );
  mount(
    app,
    legacyProxyRights,
    {
      accounts: (context) => service.accounts(inUse(context), context.query),
      rights: (context) => service.list(inUse(context), context.query),
      account: (context) => service.account(inUse(context), context.query.holderId),
      grant: (context) => service.grant(inUse(context), context.body),
      remove: (context) => service.remove(inUse(context), context.query.proxyRightId),
    },
    { surface: 'legacy', realm },
  );
}
