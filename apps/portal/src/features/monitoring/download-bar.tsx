import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { restore } from '@holdfast/contract/restore';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** The file that a restore to a download has built, until it expires. */
export function DownloadBar({ tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const params = { tenantId, reportId };
  const info = useQuery(read(restore.downloadInfo, { params, quiet: true }));
  const download = useDownload(restore.download);
  if (info.data === undefined) return null;
  const { fileName, expiresAt } = info.data;
  return (
    <MessageBar intent="success" layout="multiline">
      <MessageBarBody>{text('monitoring.downloadUntil', { name: fileName, date: format.dateTime(expiresAt) })}</MessageBarBody>
      <MessageBarActions>
        <Button appearance="primary" disabledFocusable={download.isPending} onClick={() => download.mutate({ params })}>
          {text('monitoring.download')}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
