import { proxyRights } from '@holdfast/contract/proxy-rights';
import type { ProxyRight } from '@holdfast/contract/proxy-rights';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts } from '../../ui/layout.tsx';
import { useRightWords } from './right-words.ts';

export interface RightDetailsProps {
  readonly tenantId: string;
  readonly right: ProxyRight;
  readonly onClose: () => void;
}

/** One proxy right, and how it ends early. */
export function RightDetails({ tenantId, right, onClose }: RightDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useRightWords();
  const [isRemoving, setRemoving] = useState(false);
  const remove = useChange(proxyRights.remove, { success: 'successes.proxyRightsRemoved' });
  const isOpen = right.state === 'active' || right.state === 'upcoming';
  const { proxyRightId, holder } = right;
  return (
    <DetailDrawer title={holder.name} onClose={onClose}>
      {isOpen && <CommandBar commands={[{ id: 'remove', label: text('proxyRights.remove'), run: () => setRemoving(true) }]} />}
      <Facts
        items={[
          [text('common.status'), text(`proxyRights.states.${right.state}`)],
          [text('proxyRights.holder'), words.holder(right)],
          [text('proxyRights.people'), String(right.people)],
          [text('proxyRights.target'), words.target(right)],
          [text('proxyRights.mailboxes'), String(right.mailboxes)],
          [text('proxyRights.may'), words.may(right)],
          [text('proxyRights.items'), words.items(right)],
          [text('proxyRights.private'), text(`proxyRights.privateStates.${right.includesPrivate}`)],
          [text('proxyRights.access'), words.access(right)],
          [text('proxyRights.purpose'), right.purpose],
          [text('proxyRights.granter'), right.granter],
          [text('proxyRights.grantedAt'), format.dateTime(right.grantedAt)],
          [text('proxyRights.synchronisedAt'), format.dateTime(right.synchronisedAt)],
          ...(right.removedAt === null
            ? []
            : ([
                [text('proxyRights.remover'), right.remover ?? '–'],
                [text('proxyRights.removedAt'), format.dateTime(right.removedAt)],
              ] as const)),
        ]}
      />
      {isRemoving && (
        <ConfirmDialog
          title={text('confirmations.removeProxyTitle', { name: holder.name })}
          text={text('confirmations.removeProxyText', { mailboxes: right.mailboxes })}
          button={text('confirmations.removeProxyButton')}
          destructive
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate({ params: { tenantId, proxyRightId } }, { onSuccess: onClose, onSettled: () => setRemoving(false) })
          }
          onClose={() => setRemoving(false)}
        />
      )}
    </DetailDrawer>
  );
}
