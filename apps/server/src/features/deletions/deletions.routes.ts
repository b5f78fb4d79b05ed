import { deletions as contract } from '@holdfast/contract/deletions';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { DeletionAsking, DeletionsService } from './deletions.service.ts';
import type { MentionsService } from './mentions.service.ts';

/** Mounts deletions of messages and files over one realm. */
export function mountDeletions(
  app: HttpApp,
  { deletions, mentions }: { readonly deletions: DeletionsService; readonly mentions: MentionsService },
  realm: Realm,
): void {
  const asked = (context: AskedOfOrganisation & { readonly params: { readonly tenantId: string } }): DeletionAsking => ({
    ...askingOf(context),
    tenantId: context.params.tenantId,
  });
  mount(
    app,
    contract,
    {
      list: (context) => deletions.list(asked(context), context.query),
      get: (context) => deletions.get(asked(context), context.params.deletionId),
      create: (context) => deletions.create(asked(context), context.body),
      createForPerson: (context) => deletions.createForPerson(asked(context), context.body),
      mentions: (context) => mentions.list(asked(context), context.params.deletionId, context.query),
      includeMentions: (context) => mentions.include(asked(context), context.params.deletionId, context.body.hitIds ?? 'all'),
      excludeMentions: (context) => mentions.exclude(asked(context), context.params.deletionId, context.body.hitIds ?? 'all'),
      preview: (context) => deletions.preview(asked(context), context.params.deletionId),
      request: (context) => deletions.request(asked(context), context.params.deletionId),
      stop: (context) => deletions.stop(asked(context), context.params.deletionId),
      resume: (context) => deletions.resume(asked(context), context.params.deletionId),
      remove: (context) => deletions.remove(asked(context), context.params.deletionId),
      tombstones: (context) => deletions.tombstones(asked(context), context.query),
    },
    { surface: 'main', realm },
  );
}
