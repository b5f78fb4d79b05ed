import { Menu, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import type { PositioningVirtualElement } from '@fluentui/react-components';
import {
  ArrowDownloadRegular,
  ArrowUndoRegular,
  BriefcaseRegular,
  CalendarClockRegular,
  FolderOpenRegular,
  FolderZipRegular,
  InfoRegular,
  LockClosedRegular,
  ShieldTaskRegular,
} from '@fluentui/react-icons';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import type { MenuPoint } from '../../ui/menu-point.ts';
import { useReason, useTicket } from '../content/index.ts';
import { useNodeExits } from './chosen-nodes.tsx';
import type { SitePlace } from './folder-address.ts';
import { deedsOf, deedTexts, type AskedDeed } from './node-deeds.tsx';
import { useNodeRights } from './node-rights.ts';

const deedIcons = {
  hold: <LockClosedRegular />,
  retention: <ShieldTaskRegular />,
  retentionEvent: <CalendarClockRegular />,
  addToCase: <BriefcaseRegular />,
};

/** A node and where its menu was asked for: beside the mouse, or at its row when a key did. */
export interface AskedMenu {
  readonly node: ManagedNode;
  readonly target: PositioningVirtualElement;
}

/** Where a menu belongs that was asked for at a point of the window. */
export function menuAt(node: ManagedNode, { clientX, clientY }: MenuPoint): AskedMenu {
  return { node, target: { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) } };
}

export interface NodeMenuProps {
  readonly place: SitePlace;
  readonly asked: AskedMenu;
  readonly onOpen: (node: ManagedNode) => void;
  readonly onDetails: (node: ManagedNode) => void;
  readonly onDo: (asked: AskedDeed) => void;
  readonly onClose: () => void;
}

/** What can be done with one file or folder, as in OneDrive: by the right mouse button or the menu key. */
export function NodeMenu({ place, asked: { node, target }, onOpen, onDetails, onDo, onClose }: NodeMenuProps): ReactElement {
  const text = useText();
  const rights = useNodeRights();
  const exits = useNodeExits(place);
  const { name, isContainer } = node;
  const { reason } = useReason(place.sourceId);
  const ticket = useTicket({ ...place, nodeId: node.nodeId, sequence: node.sequence });
  return (
    <Menu open onOpenChange={(_event, { open }) => !open && onClose()} positioning={{ target, position: 'below', align: 'start' }}>
      <MenuPopover>
        <MenuList aria-label={name}>
          {isContainer && (
            <MenuItem icon={<FolderOpenRegular />} onClick={() => onOpen(node)}>
              {text('compliance.openFolder')}
            </MenuItem>
          )}
          <MenuItem icon={<InfoRegular />} onClick={() => onDetails(node)}>
            {text(isContainer ? 'compliance.openFolderDetails' : 'compliance.openDetails')}
          </MenuItem>
          {rights.read && !isContainer && (
            // Without a reason the file is not opened: the details ask for one.
            <MenuItem
              icon={<ArrowDownloadRegular />}
              onClick={() => (reason === null ? onDetails(node) : void ticket.download(reason, {}))}
            >
              {text('compliance.download')}
            </MenuItem>
          )}
          {rights.restore && (
            <MenuItem icon={<ArrowUndoRegular />} onClick={() => exits.restore([node])}>
              {text('compliance.restoreSelection')}
            </MenuItem>
          )}
          {rights.export && (
            <MenuItem icon={<FolderZipRegular />} onClick={() => exits.download([node])}>
              {text('compliance.export')}
            </MenuItem>
          )}
          {deedsOf(rights).map((deed) => (
            <MenuItem key={deed} icon={deedIcons[deed]} onClick={() => onDo({ deed, nodes: [node] })}>
              {text(deedTexts[deed])}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
