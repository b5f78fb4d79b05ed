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
import { compliance } from '@holdfast/contract/compliance';
import type { Kept, KeptVersion, ManagedNode, Share } from '@holdfast/contract/compliance-values';
import type { Preview } from '@holdfast/contract/content';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { PreviewContent, useTicket } from '../content/index.ts';
import { useRestoreOf } from '../restore/index.ts';
import { CompareVersions } from './compare-versions.tsx';
import type { SitePlace } from './folder-address.ts';
import { NodeState } from './node-state.tsx';

export interface FileDetailsProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  readonly onClose: () => void;
}

/** A file: why it is kept, who can open it, and every version of it. */
export function FileDetails({ place, node, onClose }: FileDetailsProps): ReactElement {
  const text = useText();
  const { tenantId, sourceId } = place;
  const query = { sourceId, nodeId: node.nodeId };
  const kept = useQuery(read(compliance.kept, { params: { tenantId }, query, quiet: true }));
  const versions = useQuery(read(compliance.versions, { params: { tenantId }, query, quiet: true }));
  return (
    <DetailDrawer title={node.name} isWide onClose={onClose}>
      <NodeFacts node={node} />
      {kept.isError && <FailedState error={kept.error} onRetry={() => void kept.refetch()} />}
      {kept.data !== undefined && <WhyKept kept={kept.data} />}
      <Subtitle2 as="h3">{text('compliance.versions')}</Subtitle2>
      {versions.isError && <FailedState error={versions.error} onRetry={() => void versions.refetch()} />}
      {versions.isPending && <LoadingShape rows={4} />}
      {versions.data !== undefined && <Versions place={place} node={node} versions={versions.data.items} />}
    </DetailDrawer>
  );
}

function NodeFacts({ node }: { readonly node: ManagedNode }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Facts
      items={[
        [text('compliance.state'), <NodeState key="state" state={node.state} />],
        [text('compliance.size'), format.bytes(node.sizeBytes)],
        [text('compliance.modified'), format.dateTime(node.modifiedAt)],
        [text('compliance.author'), node.author ?? '–'],
      ]}
    />
  );
}

/** What a deletion job keeps, in words. */
function useRuleText(): (rule: Kept['rules'][number]) => string {
  const text = useText();
  const format = useFormat();
  return ({ jobName, retention, until }) => {
    switch (retention.mode) {
      case 'days':
        if (until !== null) return text('compliance.keptUntil', { jobName, date: format.date(until) });
        return text('compliance.keptDays', { jobName, days: retention.days });
      case 'count':
        return text('compliance.keptCount', { jobName, count: retention.count });
      case 'gfs':
        return text('compliance.keptParts', { jobName });
      case 'all':
        return text('compliance.keptAll', { jobName });
    }
  };
}

function useShareText(): (share: Share) => string {
  const text = useText();
  const format = useFormat();
  return ({ audience, who, expiresAt }) => {
    const end = expiresAt === null ? text('compliance.endless') : text('compliance.until', { date: format.date(expiresAt) });
    return [text(`compliance.audiences.${audience}`), who, end].filter((part) => part !== '').join(', ');
  };
}

function WhyKept({ kept }: { readonly kept: Kept & { readonly shares: readonly Share[] } }): ReactElement {
  const text = useText();
  const format = useFormat();
  const ruleText = useRuleText();
  const shareText = useShareText();
  const lines = (found: readonly string[], none: string): ReactElement => (
    <>
      {(found.length === 0 ? [none] : found).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
  const { points, oldestAt, newestAt } = kept;
  return (
    <Stack>
      <Subtitle2 as="h3">{text('compliance.whyKept')}</Subtitle2>
      <Facts
        items={[
          [text('restore.points'), text('compliance.inPoints', { count: points, from: format.date(oldestAt), to: format.date(newestAt) })],
          [
            text('compliance.held'),
            lines(
              kept.holds.map((hold) => text('compliance.heldBy', { name: hold.name, reason: hold.reason })),
              text('compliance.noHold'),
            ),
          ],
          [text('compliance.rules'), lines(kept.rules.map(ruleText), text('compliance.noRules'))],
          [text('compliance.audience'), lines(kept.shares.map(shareText), text('compliance.audienceNone'))],
        ]}
      />
    </Stack>
  );
}

/** The shortest reason that the server takes. */
const reasonLength = 3;

interface VersionsProps {
  readonly place: SitePlace;
  readonly node: ManagedNode;
  readonly versions: readonly KeptVersion[];
}

/** Every version that is kept: to look at, download or restore. Reading asks for a reason, which is logged. */
function Versions({ place, node, versions }: VersionsProps): ReactElement {
  const text = useText();
  const mayRead = useMay('content.read');
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const [shown, setShown] = useState<KeptVersion | null>(versions[0] ?? null);
  const ticket = useTicket({ ...place, nodeId: node.nodeId, sequence: shown?.sequence ?? node.sequence });
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
              onShow={(found) => {
                setShown(version);
                setPreview(found);
              }}
            />
          ))}
        </TableBody>
      </Table>
      {mayRead && versions.length > 1 && (
        <CompareVersions place={place} node={node} versions={versions} reason={reason} isLocked={reason.trim().length < reasonLength} />
      )}
      {preview !== null && <PreviewContent preview={preview} onDownload={(part) => void ticket.download(reason, part)} />}
    </Stack>
  );
}

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
  const { label, sequence, isWhole } = version;
  const isLocked = reason === null || reason.trim().length < reasonLength || ticket.isPending;
  const item = { nodeId: node.nodeId, name: node.name, sizeBytes: version.sizeBytes, isContainer: false };
  const show = async (): Promise<void> => {
    const found = isLocked ? null : await ticket.preview(reason);
    if (found !== null) onShow(found);
  };
  return (
    <TableRow>
      <TableCell>{version.isCurrent ? `${label} (${text('compliance.current')})` : label}</TableCell>
      <TableCell>{format.dateTime(version.modifiedAt ?? version.pointAt)}</TableCell>
      <TableCell>{format.bytes(version.sizeBytes)}</TableCell>
      <TableCell>
        <Row>
          {reason !== null && isWhole && (
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
              onClick={() => void (isLocked ? undefined : ticket.download(reason, isWhole ? {} : { version: label }))}
            >
              {text('compliance.download')}
            </Button>
          )}
          {mayRestore && (
            <Button
              size="small"
              aria-label={text('compliance.restoreOf', { version: label })}
              onClick={() => restoreOf(place, { sequence, items: [item], ...(isWhole ? {} : { version: label }) })}
            >
              {text('compliance.restoreSelection')}
            </Button>
          )}
        </Row>
      </TableCell>
    </TableRow>
  );
}
