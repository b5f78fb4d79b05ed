import { apiKeys } from '@holdfast/contract/api-keys';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../identity/index.ts';
import type { ApiKeysService } from './api-keys.service.ts';

export function mountApiKeys(app: HttpApp, service: ApiKeysService, realm: Realm): void {
  mount(
    app,
    apiKeys,
    {
      list: async ({ actor, query }) => ({ items: await service.list(actor, query.organisationId) }),
      create: ({ actor, query, body, request }) => service.create(actor, query.organisationId, body, callerOf(request)),
      end: ({ actor, params, query, request }) => service.end(actor, params.apiKeyId, query.organisationId, callerOf(request)),
    },
    { surface: 'main', realm },
  );
}
