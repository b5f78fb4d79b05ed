import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { usePortal } from '../api/portal-context.ts';
import { useText } from '../i18n/use-text.ts';
import { CommandBar, MoreCommands } from '../ui/command-bar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../ui/detail-drawer.tsx';
import { Facts } from '../ui/layout.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import type { ToastKind } from '../toasts/toast.ts';
import { UnsavedEntries } from '../ui/unsaved-entries.tsx';
import { Specimen } from './specimen.tsx';

type Shown = 'start' | 'delete' | 'drawer';

/** What is shown over the page: dialogs, the drawer, menus, toasts, the question before entries are lost. */
export function Dialogs(): ReactElement {
  const text = useText();
  const [shown, setShown] = useState<Shown | null>(null);
  const close = (): void => setShown(null);
  const name = 'Mail every night';
  return (
    <>
      <Specimen name="ConfirmDialog, DetailDrawer, MoreCommands, UnsavedEntries">
        <CommandBar
          commands={[
            { id: 'start', label: 'ConfirmDialog', run: () => setShown('start') },
            { id: 'delete', label: 'ConfirmDialog typeName', run: () => setShown('delete') },
            { id: 'drawer', label: 'DetailDrawer', run: () => setShown('drawer') },
          ]}
        />
        <MoreCommands label={text('kit.rowActions', { name })} commands={[{ id: 'edit', label: text('common.edit'), run: close }]} />
        <Guarded />
      </Specimen>
      {shown === 'start' && (
        <ConfirmDialog
          title={text('confirmations.startJobTitle', { name })}
          text={text('confirmations.startJobText')}
          button={text('confirmations.startJobButton')}
          onConfirm={close}
          onClose={close}
        />
      )}
      {shown === 'delete' && (
        <ConfirmDialog
          title={text('confirmations.deleteTenantTitle', { name: 'Contoso' })}
          text={text('confirmations.deleteTenantText')}
          button={text('confirmations.deleteTenantButton')}
          typeName="Contoso"
          onConfirm={close}
          onClose={close}
        />
      )}
      {shown === 'drawer' && (
        <DetailDrawer title={name} onClose={close}>
          <StatusBadge status="successful" />
          <Facts items={[[text('jobs.location'), 'Vault']]} />
        </DetailDrawer>
      )}
      <ToastButtons />
    </>
  );
}

/** Leaving asks once something was entered. */
function Guarded(): ReactElement {
  const navigate = useNavigate();
  const [isDirty, setDirty] = useState(false);
  return (
    <>
      <CommandBar
        commands={[
          { id: 'enter', label: 'UnsavedEntries', run: () => setDirty(!isDirty), isPrimary: isDirty },
          { id: 'leave', label: 'Centred', run: () => void navigate('/centred') },
        ]}
      />
      <UnsavedEntries when={isDirty} />
    </>
  );
}

function ToastButtons(): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const kinds: readonly (readonly [ToastKind, string])[] = [
    ['success', text('successes.jobCreated')],
    ['info', text('confirmations.startJobText')],
    ['warning', text('failures.network')],
    ['error', text('failures.download')],
  ];
  return (
    <Specimen name="toast">
      <CommandBar commands={kinds.map(([kind, words]) => ({ id: kind, label: kind, run: () => toasts.show(kind, words) }))} />
    </Specimen>
  );
}
