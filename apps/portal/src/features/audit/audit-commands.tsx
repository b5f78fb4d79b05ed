import { MessageBar, MessageBarBody, Text } from '@fluentui/react-components';
import { audit, type AuditTimestamps } from '@holdfast/contract/audit';
import { printedReports } from '@holdfast/contract/printed-reports';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';

export interface AuditCommandsProps {
  readonly tenantId: string;
  readonly period: { readonly from?: string; readonly to?: string };
}

/** What the verification of last night found. */
function Nightly({ tenantId }: Pick<AuditCommandsProps, 'tenantId'>): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { data } = useQuery(read(audit.verification, { params: { tenantId }, quiet: true }));
  if (data === undefined) return null;
  const { last, timestamps } = data;
  const at = last === null ? '' : format.dateTime(last.at);
  return (
    <>
      {last === null ? (
        <Text>{text('audit.notYet')}</Text>
      ) : (
        <MessageBar intent={last.ok ? 'success' : 'error'} layout="multiline">
          <MessageBarBody>
            {last.ok
              ? text('audit.nightly', { at, events: format.count(last.events), checkpoints: format.count(last.checkpoints) })
              : `${text('audit.nightlyFailed', { at })} ${last.problems.join(' ')}`}
          </MessageBarBody>
        </MessageBar>
      )}
      {timestamps !== null && <Stamps {...timestamps} />}
    </>
  );
}

/** What an authority attests of the log, and since when it has not. */
function Stamps({ last, missing }: AuditTimestamps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      {last === null ? (
        <Text>{text('audit.notStampedYet')}</Text>
      ) : (
        <Text>{text('audit.stamped', { authority: last.authority, at: format.dateTime(last.at), events: format.count(last.events) })}</Text>
      )}
      {missing !== null && missing.reason !== null && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {text('audit.stampsMissing', {
              day: format.day(missing.day),
              at: format.dateTime(missing.triedAt),
              reason: text(`audit.stampFailures.${missing.reason}`, { detail: missing.detail }),
            })}
          </MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}

/** Proof of completeness, and the export for owner and auditor. */
export function AuditCommands({ tenantId, period }: AuditCommandsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayExport = useMay('audit.export');
  const verify = useChange(audit.verify);
  const download = useDownload(audit.export);
  const exportAs = (kind: 'jsonl' | 'csv'): void => download.mutate({ params: { tenantId }, query: { format: kind, ...period } });
  const exports = [
    { id: 'jsonl', label: text('audit.exportJson'), run: () => exportAs('jsonl') },
    { id: 'csv', label: text('audit.exportCsv'), run: () => exportAs('csv') },
  ];
  const print = useDownload(printedReports.auditLog);
  const language = format.locale.startsWith('de') ? 'de' : 'en';
  const { from, to } = period;
  const printing = {
    id: 'pdf',
    label: text('periodReports.auditPdf'),
    // A log on paper is one of a period.
    isDisabled: from === undefined || to === undefined,
    run: () => print.mutate({ params: { tenantId }, query: { language, from: from ?? '', to: to ?? '' } }),
  };
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
          ...(mayExport ? [...exports, printing] : []),
        ]}
      />
      {result === undefined && <Nightly tenantId={tenantId} />}
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
