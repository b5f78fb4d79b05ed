import { ArrowUndoRegular, DismissRegular } from '@fluentui/react-icons';
import { archivedMessages } from '@holdfast/contract/archived-messages';
import type { Selection } from '@holdfast/contract/selections';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import type { Ticked } from '../../ui/use-ticked.ts';
import { RecoveryForm } from '../restore/index.ts';
import type { StartedLook } from './messages.queries.ts';

interface MessageCommandsProps {
  readonly tenantId: string;
  readonly mailboxId: string;
  readonly locationId: string;
  readonly started: StartedLook;
  readonly total: number;
  readonly chosen: Ticked;
}

/** Puts the ticked messages back, or all that were found. */
export function MessageCommands({ tenantId, mailboxId, locationId, started, total, chosen }: MessageCommandsProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const mayRestore = useMay('restore.run');
  const select = useChange(archivedMessages.select, { failure: 'failures.retrieve' });
  const [restoring, setRestoring] = useState<Selection | null>(null);
  const { reason, folder, subject } = started;
  const which = chosen.ids.size === 0 ? ('all' as const) : ('chosen' as const);
  const wanted =
    which === 'chosen' ? { messageIds: [...chosen.ids] } : { ...(folder === '' ? {} : { folder }), ...(subject === '' ? {} : { subject }) };
  const restore: Command = {
    id: 'restore',
    label: text(`search.selection.restore.${which}`, { items: format.count(which === 'all' ? total : chosen.ids.size) }),
    icon: <ArrowUndoRegular />,
    isDisabled: select.isPending,
    run: () => select.mutate({ params: { tenantId, mailboxId }, body: { reason, ...wanted } }, { onSuccess: setRestoring }),
  };
  const clear: Command = { id: 'clear', label: text('kit.clearSelection'), icon: <DismissRegular />, run: chosen.clear };
  if (!mayRestore) return null;
  return (
    <>
      <CommandBar commands={[restore, ...(which === 'chosen' ? [clear] : [])]} />
      {restoring !== null && (
        <RecoveryForm
          tenantId={tenantId}
          selection={restoring}
          locationId={locationId}
          reason={reason}
          {...(folder === '' ? {} : { archivedFolder: folder })}
          onClose={() => setRestoring(null)}
        />
      )}
    </>
  );
}
