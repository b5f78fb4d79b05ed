import { ClientSecretCredential } from '@azure/identity';
import { DefaultHeaders, DefaultInit, type GraphFI, graphfi } from '@pnp/graph';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its parts by side effect
import '@pnp/graph/groups/index.js';
import type { IGroups } from '@pnp/graph/groups/types.js';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its parts by side effect
import '@pnp/graph/users/index.js';
import type { IUsers } from '@pnp/graph/users/types.js';
import { BrowserFetchWithRetry, DefaultParse, InjectHeaders } from '@pnp/queryable';
import { readSetting, tell } from './setting.ts';

const { tenantId, clientId, clientSecret } = readSetting();
const token = await new ClientSecretCredential(tenantId, clientId, clientSecret).getToken('https://graph.microsoft.com/.default');
const base: GraphFI = graphfi('https://graph.microsoft.com/v1.0').using(
  DefaultHeaders(),
  DefaultInit(),
  BrowserFetchWithRetry(),
  DefaultParse(),
  InjectHeaders({ Authorization: `Bearer ${token.token}` }),
);
// The package adds these properties to `GraphFI` in a way that the module resolution of Node does not follow.
const graph = base as GraphFI & { readonly users: IUsers; readonly groups: IGroups };
const users = await graph.users.select('id', 'displayName').top(3)();
const user = await graph.users.getById(users[0]?.id ?? '')<{ readonly displayName: string }>();
const groups = await graph.groups();
tell({ users: users.length, name: user.displayName, groups: groups.length });
