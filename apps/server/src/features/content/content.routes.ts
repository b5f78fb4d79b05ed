import { content } from '@holdfast/contract/content';
import type { Realm } from '@holdfast/database';
import type { Context } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { ContentCaller, ContentService } from './content.service.ts';
import type { ConversationsService } from './conversations.service.ts';

type ContentContext = Pick<Context<(typeof content)[keyof typeof content]>, 'actor' | 'organisation' | 'realm' | 'request'>;

function callerOf(context: ContentContext): ContentCaller {
  return { actor: context.actor, scope: scopeOf(context), request: context.request };
}

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
      conversation: (context) => conversations.open(callerOf(context), { tenantId: context.params.tenantId, ...context.body }),
      open: (context) => service.open(callerOf(context), { tenantId: context.params.tenantId, ...context.body }),
      preview: (context) => service.preview(callerOf(context), { ...context.params, ...context.query }),
      page: (context) => service.page(callerOf(context), { ...context.params, ...context.query }, context.signal),
      source: (context) => service.source(callerOf(context), context.params, context.signal),
      file: (context) => service.file(callerOf(context), { ...context.params, ...context.query }, context.signal),
    },
    { surface: 'main', realm },
  );
}
