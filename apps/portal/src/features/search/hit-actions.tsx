import { ArchiveRegular, ArrowUndoRegular, LockClosedRegular } from '@fluentui/react-icons';
import type { SearchHit } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { messagesAddress, type WantedMessage } from '../archive/index.ts';
import { HoldForm } from '../holds/index.ts';
import { useRestoreOf } from '../restore/index.ts';

interface HitActionsProps {
  readonly tenantId: string;
  readonly hit: SearchHit;
  /** Why the hit was looked for; the page of its archive is opened with it. */
  readonly reason: string;
}

/** What can be done with a hit: put it back as it was found, or hold everything it belongs to. */
export function HitActions({ tenantId, hit, reason }: HitActionsProps): ReactElement {
  const text = useText();
  const mayRestore = useMay('content.browse');
  const mayHold = useMay('deletion.manage');
  const restore = useRestoreOf();
  const navigate = useNavigate();
  const [isHolding, setHolding] = useState(false);
  const { locationId, sourceId, nodeId, sequence, sizeBytes, resource } = hit;
  const name = resource.name || resource.address;
  const isArchived = resource.kind === 'archive';
  const item = { nodeId, name: hit.title.trim() || text('search.untitled'), sizeBytes, isContainer: false };
  // A message of the archive is called by the hash of its bytes, which is its node.
  const wanted: WantedMessage = { reason, message: { messageId: nodeId, locationId, sourceId, sequence, subject: hit.title } };
  const archive = {
    id: 'archive',
    label: text('search.openArchive'),
    icon: <ArchiveRegular />,
    run: () => void navigate(messagesAddress(resource.resourceId), { state: wanted }),
  };
  return (
    <>
      <CommandBar
        commands={[
          ...(isArchived ? [archive] : []),
          ...(mayRestore && !isArchived
            ? [
                {
                  id: 'restore',
                  label: text('search.restore'),
                  icon: <ArrowUndoRegular />,
                  run: () => restore({ sourceId, locationId }, { sequence, items: [item] }),
                },
              ]
            : []),
          ...(mayHold
            ? [{ id: 'hold', label: text('search.hold', { name }), icon: <LockClosedRegular />, run: () => setHolding(true) }]
            : []),
        ]}
      />
      {isHolding && <HoldForm tenantId={tenantId} resource={{ resourceId: resource.resourceId, name }} onClose={() => setHolding(false)} />}
    </>
  );
}
