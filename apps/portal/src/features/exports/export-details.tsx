import { isUnderWay } from '@holdfast/contract/run-status';
import { Button, MessageBar, MessageBarBody, ProgressBar, Subtitle2, Text } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons';
import { exports } from '@holdfast/contract/exports';
import type { ContentExport } from '@holdfast/contract/exports';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange, useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { LongCode } from '../../ui/long-code.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { pollMs } from './poll-interval.ts';

interface ExportDetailsProps {
  readonly tenantId: string;
  readonly exportId: string;
  readonly onClose: () => void;
}

/** One export in a drawer of its own. */
export function ExportDetails({ name, ...of }: ExportDetailsProps & { readonly name: string }): ReactElement {
  return (
    <DetailDrawer title={name} onClose={of.onClose}>
      <ExportView {...of} />
    </DetailDrawer>
  );
}

/** One export: how far it has got, its parts to download, and how it is checked. */
export function ExportView({ tenantId, exportId, onClose }: ExportDetailsProps): ReactElement {
  const found = useQuery({
    ...read(exports.get, { params: { tenantId, exportId }, quiet: true, background: true }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isUnderWay(data) ? pollMs : false),
  });
  return (
    <>
      {found.isPending && <LoadingShape rows={6} />}
      {found.isError && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && <Details tenantId={tenantId} of={found.data} onClose={onClose} />}
    </>
  );
}

interface DetailsProps {
  readonly tenantId: string;
  readonly of: ResponseOf<typeof exports.get>;
  readonly onClose: () => void;
}

function Details({ tenantId, of, onClose }: DetailsProps): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const hasParts = of.parts.length > 0 && of.status !== 'expired';
  return (
    <Stack loose>
      <StatusBadge status={of.status} detail={of.code === null ? undefined : codeText(of.code)} />
      {isUnderWay(of) && <Progress of={of} />}
      {hasParts && <Parts tenantId={tenantId} of={of} />}
      {of.failed > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('exports.someFailed')}</MessageBarBody>
        </MessageBar>
      )}
      <ExportFacts of={of} />
      {hasParts && (
        <Stack>
          <Subtitle2 as="h3">{text('exports.check')}</Subtitle2>
          <Text>{text('exports.checkText')}</Text>
        </Stack>
      )}
      <Ending tenantId={tenantId} of={of} onClose={onClose} />
    </Stack>
  );
}

function Progress({ of }: { readonly of: ContentExport }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = text('exports.reading', { read: format.count(of.read), files: format.count(of.files) });
  return (
    <Stack>
      <ProgressBar aria-label={words} {...(of.files === 0 ? {} : { value: of.read / of.files })} />
      <Text size={200}>{words}</Text>
    </Stack>
  );
}

function Parts({ tenantId, of }: Pick<DetailsProps, 'tenantId' | 'of'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const download = useDownload(exports.part);
  return (
    <Row>
      {of.parts.map(({ part, bytes }) => (
        <Button
          key={part}
          appearance={of.parts.length === 1 ? 'primary' : 'secondary'}
          icon={<ArrowDownloadRegular />}
          disabledFocusable={download.isPending}
          onClick={() => download.mutate({ params: { tenantId, exportId: of.exportId, part } })}
        >
          {text(of.parts.length === 1 ? 'exports.downloadOne' : 'exports.downloadPart', { part, size: format.bytes(bytes) })}
        </Button>
      ))}
    </Row>
  );
}

function ExportFacts({ of }: Pick<DetailsProps, 'of'>): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Facts
      items={[
        [text('exports.query'), of.query === '' ? '–' : of.query],
        [text('exports.format'), text(`exports.formatShort.${of.format}`)],
        [text('exports.items'), format.count(of.items)],
        [text('exports.size'), format.bytes(of.bytes)],
        [text('exports.failed'), format.count(of.failed)],
        [text('exports.owner'), of.owner],
        [text('exports.createdAt'), format.dateTime(of.createdAt)],
        [text('exports.expiresAt'), format.dateTime(of.expiresAt)],
        ...(of.manifestHash === null ? [] : [[text('exports.manifest'), <LongCode key="hash">{of.manifestHash}</LongCode>] as const]),
        ...(of.manifestHash === null ? [] : [[text('exports.key'), <LongCode key="key">{of.keyFingerprint}</LongCode>] as const]),
      ]}
    />
  );
}

/** What is being made can be stopped; what has ended can be deleted. */
function Ending({ tenantId, of, onClose }: DetailsProps): ReactElement {
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  const cancel = useChange(exports.cancel, { success: 'exports.cancelled' });
  const resume = useChange(exports.resume, { success: 'exports.resumed' });
  const remove = useChange(exports.remove, { success: 'exports.removed' });
  const params = { tenantId, exportId: of.exportId };
  return (
    <Row>
      {isUnderWay(of) ? (
        <Button disabledFocusable={cancel.isPending || of.status === 'cancelling'} onClick={() => cancel.mutate({ params })}>
          {text('exports.cancel')}
        </Button>
      ) : (
        <Button onClick={() => setAsking(true)}>{text('exports.remove')}</Button>
      )}
      {(of.status === 'failed' || of.status === 'cancelled' || of.status === 'defective') && (
        <Button
          appearance={of.status === 'defective' ? 'secondary' : 'primary'}
          disabledFocusable={resume.isPending}
          onClick={() => resume.mutate({ params })}
        >
          {text(of.status === 'defective' ? 'exports.tryAgain' : 'exports.resume')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={text('exports.removeTitle', { name: of.name })}
          text={text('exports.removeText')}
          button={text('exports.remove')}
          destructive
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ params }, { onSuccess: onClose })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
