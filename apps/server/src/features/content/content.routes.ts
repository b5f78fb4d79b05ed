import { content } from '@holdfast/contract/content';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { requestedBy } from '../../http/requested-by.ts';
import type { ContentService } from './content.service.ts';
import type { ConversationsService } from './conversations.service.ts';

interface ContentServices {
  readonly content: ContentService;
  readonly conversations: ConversationsService;
}

/** Mounts the reading of single items, and of what was said around one, over one realm. */
export function createContentRoutes(app: HttpApp, { content: service, conversations }: ContentServices, realm: Realm): void {
  mount(
    app,
    content,
    {
      conversation: (context) => conversations.open(requestedBy(context), { tenantId: context.params.tenantId, ...context.body }),
      open: (context) => service.open(requestedBy(context), { tenantId: context.params.tenantId, ...context.body }),
      preview: (context) => service.preview(requestedBy(context), { ...context.params, ...context.query }),
      page: (context) => service.page(requestedBy(context), { ...context.params, ...context.query }, context.signal),
      source: (context) => service.source(requestedBy(context), context.params, context.signal),
      file: (context) => service.file(requestedBy(context), { ...context.params, ...context.query }, context.signal),
    },
    { surface: 'main', realm },
  );
}
