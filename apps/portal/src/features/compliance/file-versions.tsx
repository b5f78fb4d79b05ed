import {
  Button,
  Field,
  Input,
  Subtitle2,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
} from '@fluentui/react-components';
import type { KeptVersion, ManagedNode } from '@holdfast/contract/compliance-values';
import type { Preview } from '@holdfast/contract/content';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { DrawnFile, PreviewContent, useReason, useTicket } from '../content/index.ts';
import type { ItemPlace } from '../content/index.ts';
import { useRestoreOf } from '../restore/index.ts';
import { CompareVersions } from './compare-versions.tsx';
import type { SitePlace } from './folder-address.ts';

/** The shortest reason that the server takes. */
const reasonLength = 3;

interface VersionsProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  readonly versions: readonly KeptVersion[];
}

/** Every version that is kept: to look at, download or restore. Reading asks for a reason, which is logged. */
export function FileVersions({ place, node, versions }: VersionsProps): ReactElement {
  const text = useText();
  const mayRead = useMay('content.read');
  const given = useReason(place.sourceId);
  const [reason, setReason] = useState(given.reason ?? '');
  const [shown, setShown] = useState<ShownVersion | null>(null);
  return (
    <Stack>
      {mayRead && (
        <Field label={text('compliance.reason')} hint={text('compliance.reasonHint')} required>
          <Input value={reason} onChange={(_event, { value }) => setReason(value)} />
        </Field>
      )}
      <Table size="small" aria-label={text('compliance.versions')}>
        <TableHeader>
          <TableRow>
            {(['restore.version', 'compliance.modified', 'compliance.size', 'common.actions'] as const).map((title) => (
              <TableHeaderCell key={title}>{text(title)}</TableHeaderCell>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {versions.map((version) => (
            <VersionRow
              key={`${version.label} ${version.sequence}`}
              place={place}
              node={node}
              version={version}
              reason={mayRead ? reason : null}
              onShow={(preview) => {
                given.give(reason);
                setShown({ version, preview, reason });
              }}
            />
          ))}
        </TableBody>
      </Table>
      {mayRead && versions.length > 1 && (
        <CompareVersions place={place} node={node} versions={versions} reason={reason} isLocked={reason.trim().length < reasonLength} />
      )}
      {shown !== null && <ShownVersionContent place={{ ...place, nodeId: node.nodeId, sequence: shown.version.sequence }} shown={shown} />}
    </Stack>
  );
}

/** A version that was opened, with the reason that was given for it. */
interface ShownVersion {
  readonly version: KeptVersion;
  readonly preview: Preview;
  readonly reason: string;
}

/** What a version says and looks like. */
function ShownVersionContent({ place, shown }: { readonly place: ItemPlace; readonly shown: ShownVersion }): ReactElement {
  const text = useText();
  const { version, preview, reason } = shown;
  const ticket = useTicket(place);
  const named = labelOf(version);
  return (
    <Stack>
      <Subtitle2 as="h3">{text('compliance.shownVersion', { version: version.label })}</Subtitle2>
      <PreviewContent
        preview={preview}
        pages={<DrawnFile place={place} file={preview} reason={reason} {...named} />}
        onDownload={(part) => void ticket.download(reason, { ...named, ...part })}
      />
    </Stack>
  );
}

/** How a version that is not the file itself at its restore point is asked for. */
const labelOf = ({ isWhole, label }: KeptVersion): { readonly version?: string } => (isWhole ? {} : { version: label });

interface VersionRowProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  readonly version: KeptVersion;
  /** Null for those who may not read. */
  readonly reason: string | null;
  readonly onShow: (preview: Preview) => void;
}

function VersionRow({ place, node, version, reason, onShow }: VersionRowProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayRestore = useMay('restore.run');
  const restoreOf = useRestoreOf();
  const ticket = useTicket({ ...place, nodeId: node.nodeId, sequence: version.sequence });
  const { label, sequence } = version;
  const named = labelOf(version);
  const isLocked = reason === null || reason.trim().length < reasonLength || ticket.isPending;
  const item = { nodeId: node.nodeId, name: node.name, sizeBytes: version.sizeBytes, isContainer: false };
  const show = async (): Promise<void> => {
    const found = isLocked ? null : await ticket.preview(reason, named);
    if (found !== null) onShow(found);
  };
  return (
    <TableRow>
      <TableCell>{version.isCurrent ? `${label} (${text('compliance.current')})` : label}</TableCell>
      <TableCell>{format.dateTime(version.modifiedAt ?? version.pointAt)}</TableCell>
      <TableCell>{format.bytes(version.sizeBytes)}</TableCell>
      <TableCell>
        <Row>
          {reason !== null && (
            <Button
              size="small"
              disabledFocusable={isLocked}
              aria-label={text('compliance.previewOf', { version: label })}
              onClick={() => void show()}
            >
              {text('restore.preview')}
            </Button>
          )}
          {reason !== null && (
            <Button
              size="small"
              disabledFocusable={isLocked}
              aria-label={text('compliance.downloadOf', { version: label })}
              onClick={() => void (isLocked ? undefined : ticket.download(reason, named))}
            >
              {text('compliance.download')}
            </Button>
          )}
          {mayRestore && (
            <Button
              size="small"
              aria-label={text('compliance.restoreOf', { version: label })}
              onClick={() => restoreOf(place, { sequence, items: [item], ...named })}
            >
              {text('compliance.restoreSelection')}
            </Button>
          )}
        </Row>
      </TableCell>
    </TableRow>
  );
}
