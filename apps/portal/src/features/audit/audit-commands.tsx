import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { audit } from '@holdfast/contract/audit';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange, useDownload } from '../../api/queries.ts';
import { saveFile } from '../../api/save-file.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';

export interface AuditCommandsProps {
  readonly tenantId: string;
  readonly period: { readonly from?: string; readonly to?: string };
}

/** Proof of completeness, and the export for owner and auditor. */
export function AuditCommands({ tenantId, period }: AuditCommandsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayExport = useMay('audit.export');
  const verify = useChange(audit.verify);
  const download = useDownload(audit.export);
  const exportAs = (kind: 'jsonl' | 'csv'): void =>
    download.mutate(
      { params: { tenantId }, query: { format: kind, ...period } },
      { onSuccess: (file) => saveFile(file.blob, file.fileName ?? `audit.${kind}`) },
    );
  const exports = [
    { id: 'jsonl', label: text('audit.exportJson'), run: () => exportAs('jsonl') },
    { id: 'csv', label: text('audit.exportCsv'), run: () => exportAs('csv') },
  ];
  const result = verify.data;
  return (
    <>
      <CommandBar
        commands={[
          {
            id: 'verify',
            label: text('audit.verify'),
            run: () => verify.mutate({ params: { tenantId } }),
            isPrimary: true,
            isDisabled: verify.isPending,
          },
          ...(mayExport ? exports : []),
        ]}
      />
      {result !== undefined && (
        <MessageBar intent={result.ok ? 'success' : 'error'} layout="multiline">
          <MessageBarBody>
            {result.ok
              ? text('audit.verified', { events: format.count(result.events), checkpoints: format.count(result.checkpoints) })
              : `${text('audit.notVerified')} ${result.problems.join(' ')}`}
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
