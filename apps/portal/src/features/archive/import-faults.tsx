import { Button, Subtitle2, Text } from '@fluentui/react-components';
import { ArrowDownloadRegular } from '@fluentui/react-icons';
import { imports, type ImportFault } from '@holdfast/contract/imports';
import { searchReason } from '@holdfast/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useMay } from '../../api/portal-context.ts';
import { read, useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';

const shown = 20;

interface ImportFaultsProps {
  readonly tenantId: string;
  readonly jobId: string;
  readonly failed: number;
}

/** Lists the pieces that an import could not take in, with file, place and reason, and lets those who may save them. */
export function ImportFaults({ tenantId, jobId, failed }: ImportFaultsProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const maySave = useMay('documents.manage');
  const [saving, setSaving] = useState<ImportFault | null>(null);
  const faults = useQuery({
    ...read(imports.faults, { params: { tenantId, jobId }, query: { limit: shown }, quiet: true }),
    enabled: failed > 0,
  });
  const found = faults.data;
  if (failed === 0 || found === undefined) return null;
  const nameOf = ({ fileName: name, offset }: ImportFault) => ({ name, offset: format.count(offset) });
  return (
    <Stack>
      <Subtitle2 as="h3">{text('imports.faults', { count: found.total, shown: format.count(found.total) })}</Subtitle2>
      <ul aria-label={text('imports.faultList')}>
        {found.items.map((fault) => (
          <li key={fault.faultId}>
            <Text weight="semibold">{text('imports.faultAt', nameOf(fault))}</Text> {codeText(fault.code)}{' '}
            {maySave && fault.sizeBytes > 0 && (
              <Button
                size="small"
                icon={<ArrowDownloadRegular />}
                aria-label={text('imports.savePieceAt', nameOf(fault))}
                onClick={() => setSaving(fault)}
              >
                {text('imports.savePiece')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {saving !== null && (
        <PieceForm
          key={saving.faultId}
          call={{ tenantId, jobId, faultId: saving.faultId }}
          label={text('imports.savePieceAt', nameOf(saving))}
          onClose={() => setSaving(null)}
        />
      )}
    </Stack>
  );
}

const asked = z.object({ reason: searchReason });

interface PieceFormProps {
  readonly call: { readonly tenantId: string; readonly jobId: string; readonly faultId: string };
  readonly label: string;
  readonly onClose: () => void;
}

/** Asks for the reason first: the piece may contain mail of other people. */
function PieceForm({ call, label, onClose }: PieceFormProps): ReactElement {
  const text = useText();
  const form = useSchemaForm(asked, { reason: '' });
  const download = useDownload(imports.piece);
  return (
    <Form form={form} label={label} onSubmit={(query) => download.mutate({ params: call, query }, { onSuccess: onClose })}>
      <TextField name="reason" label={text('archive.lookReason')} hint={text('imports.pieceHint')} required autoFocus />
      <FormButtons isBusy={download.isPending} submit={text('imports.savePiece')} onClose={onClose} />
    </Form>
  );
}
