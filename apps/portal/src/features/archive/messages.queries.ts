import { archivedMessages } from '@holdfast/contract/archived-messages';
import { useInfiniteQuery } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';

/** What somebody looks at in an archived mailbox, and the reason that the audit log keeps. */
export interface StartedLook {
  readonly reason: string;
  readonly folder: string;
  readonly subject: string;
}

const pageSize = 100;

/** The messages of an archived mailbox, loaded as the reader scrolls; nothing is asked before a reason was given. */
export function useMessages(tenantId: string, mailboxId: string, started: StartedLook | null) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(archivedMessages.list), tenantId, mailboxId, started],
    queryFn: ({ pageParam }) => {
      const { reason = '', folder = '', subject = '' } = started ?? {};
      return client.send(archivedMessages.list, {
        params: { tenantId, mailboxId },
        body: {
          reason,
          limit: pageSize,
          ...(folder === '' ? {} : { folder }),
          ...(subject === '' ? {} : { subject }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        quiet: true,
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: started !== null,
    // Each look is in the audit log: it is asked for when somebody looks, not whenever something else has changed.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
}
