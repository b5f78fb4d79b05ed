import { ArrowUndoRegular, DeleteRegular, DismissRegular } from '@fluentui/react-icons';
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
import { DeleteMessagesForm } from '../deletions/index.ts';
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

/** The ticked messages, or all that were found, as they are asked for. */
function useWhich({ tenantId, mailboxId, started, total, chosen }: MessageCommandsProps) {
  const format = useFormat();
  const { reason, folder, subject } = started;
  const which = chosen.ids.size === 0 ? ('all' as const) : ('chosen' as const);
  const wanted =
    which === 'chosen' ? { messageIds: [...chosen.ids] } : { ...(folder === '' ? {} : { folder }), ...(subject === '' ? {} : { subject }) };
  const count = which === 'all' ? total : chosen.ids.size;
  return {
    which,
    words: { count, items: format.count(count) },
    asked: { params: { tenantId, mailboxId }, body: { reason, ...wanted } },
  };
}

/** Puts the ticked messages back or deletes them from the archive, or all that were found. */
export function MessageCommands(props: MessageCommandsProps): ReactElement | null {
  const { tenantId, locationId, started, chosen } = props;
  const text = useText();
  const mayRestore = useMay('restore.run');
  const mayDelete = useMay('deletion.manage');
  const select = useChange(archivedMessages.select, { failure: 'failures.retrieve' });
  const [restoring, setRestoring] = useState<Selection | null>(null);
  const [deleting, setDeleting] = useState<Selection | null>(null);
  const { which, words, asked } = useWhich(props);
  const { reason, folder } = started;
  const restore: Command = {
    id: 'restore',
    label: text(`search.selection.restore.${which}`, words),
    icon: <ArrowUndoRegular />,
    isDisabled: select.isPending,
    run: () => select.mutate(asked, { onSuccess: setRestoring }),
  };
  const remove: Command = {
    id: 'delete',
    label: text(which === 'all' ? 'deletions.deleteAll' : 'deletions.deleteChosen', words),
    icon: <DeleteRegular />,
    isDisabled: select.isPending,
    run: () => select.mutate(asked, { onSuccess: setDeleting }),
  };
  const clear: Command = { id: 'clear', label: text('kit.clearSelection'), icon: <DismissRegular />, run: chosen.clear };
  const commands = [...(mayRestore ? [restore] : []), ...(mayDelete ? [remove] : [])];
  if (commands.length === 0) return null;
  return (
    <>
      <CommandBar commands={[...commands, ...(which === 'chosen' ? [clear] : [])]} />
      {deleting !== null && <DeleteMessagesForm tenantId={tenantId} selection={deleting} onClose={() => setDeleting(null)} />}
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
