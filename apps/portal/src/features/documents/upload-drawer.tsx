import { Button, Field, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { documents } from '@holdfast/contract/documents';
import type { DocumentType } from '@holdfast/contract/documents';
import { pdfMaxBytes } from '@holdfast/contract/limits';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';

const useStyles = makeStyles({
  drop: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingVerticalXL,
    border: `${tokens.strokeWidthThick} dashed ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusLarge,
  },
});

export interface UploadDrawerProps {
  readonly kind: DocumentType;
  readonly abbr: string;
  readonly onClose: () => void;
}

/** Uploads one PDF file, chosen or dropped. What the server would refuse by its name or size is refused here. */
export function UploadDrawer({ kind, abbr, onClose }: UploadDrawerProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const input = useRef<HTMLInputElement>(null);
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const upload = useChange(documents.upload, { success: 'successes.fileUploaded' });
  const choose = (chosen: File | undefined): void => {
    setFault(chosen === undefined ? null : faultOf(chosen, text));
    setFile(chosen ?? null);
  };
  const send = (): void => {
    const refused = file === null ? text('errors.documents.file-required') : faultOf(file, text);
    setFault(refused);
    if (file === null || refused !== null) return;
    const form = new FormData();
    form.append('abbr', abbr);
    form.append('documentType', kind);
    form.append('file', file, file.name);
    upload.mutate(
      { form, onProgress: setShare },
      { onSuccess: onClose, onError: (error) => setFault(error instanceof ApiError ? (error.fields['file']?.[0] ?? null) : null) },
    );
  };
  return (
    <DetailDrawer title={text('documents.uploadTitle')} onClose={onClose}>
      <Field {...(fault === null ? {} : { validationState: 'error', validationMessage: fault })}>
        <div
          className={styles.drop}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            choose(event.dataTransfer.files[0]);
          }}
        >
          <Text>{text('documents.drop')}</Text>
          <input
            ref={input}
            type="file"
            accept=".pdf,application/pdf"
            hidden
            aria-label={text('documents.choose')}
            onChange={(event) => choose(event.target.files?.[0])}
          />
          <Button onClick={() => input.current?.click()}>{text('documents.choose')}</Button>
          {file !== null && <Text weight="semibold">{file.name}</Text>}
        </div>
      </Field>
      {upload.isPending && (
        <Field validationState="none" validationMessage={text('documents.uploaded', { share: format.percent(share) })}>
          <ProgressBar value={share} aria-label={text('documents.uploading', { name: file?.name ?? '' })} />
        </Field>
      )}
      <div>
        <Button appearance="primary" disabledFocusable={upload.isPending} onClick={send}>
          {text('documents.upload')}
        </Button>
      </div>
    </DetailDrawer>
  );
}

function faultOf(file: File, text: ReturnType<typeof useText>): string | null {
  if (!file.name.toLowerCase().endsWith('.pdf')) return text('errors.documents.pdf-only');
  return file.size > pdfMaxBytes ? text('errors.documents.too-large') : null;
}
