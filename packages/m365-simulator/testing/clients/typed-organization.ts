import { createGraphServiceClient } from '@microsoft/msgraph-sdk';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its paths by side effect
import '@microsoft/msgraph-sdk-organization';
import { tell } from './setting.ts';
import { createAdapter, refusalOf } from './typed-adapter.ts';

const graph = createGraphServiceClient(createAdapter());
const organization = await graph.organization.get();
const selected = await graph.organization.get({ queryParameters: { select: ['id', 'verifiedDomains'] } });
const unknown = await refusalOf(() => graph.organization.get({ queryParameters: { select: ['nonsense'] } }));

tell({
  organization: organization?.value?.length,
  domains: (selected?.value?.[0]?.verifiedDomains?.length ?? 0) > 0,
  name: selected?.value?.[0]?.displayName ?? null,
  unknown,
});
