import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
} from '@fluentui/react-components';
import { contentTicketBody } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import type { Node } from '@holdfast/contract/discovery';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row } from '../../ui/layout.tsx';
import { layout } from '../../ui/theme.ts';
import { PreviewContent, useTicket } from '../content/index.ts';
import type { SourcePlace } from './restore.queries.ts';
import type { ChosenVersion } from './selection.ts';
import { VersionList } from './version-list.tsx';
import { PlaceContext, usePlace } from '../../ui/unsaved-entries.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

const useStyles = makeStyles({
  surface: { maxWidth: layout.dialogWidth, width: '100%' },
});

const reason = contentTicketBody.pick({ reason: true });

export interface PreviewDialogProps {
  readonly place: SourcePlace;
  readonly node: Node;
  readonly sequence: number;
  /** One of the versions is to come back. */
  readonly onVersion: (version: ChosenVersion) => void;
  readonly onClose: () => void;
}

/** Shows one item: asks for the reason first, which is logged. */
export function PreviewDialog({ place, node, sequence, onVersion, onClose }: PreviewDialogProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [opened, setOpened] = useState<{ readonly preview: Preview; readonly reason: string } | null>(null);
  useReturnFocus();
  const { place: opening, question } = usePlace();
  const handleClose = (): void => opening.leave(onClose);
  const form = useSchemaForm(reason, { reason: '' });
  const ask = useTicket({ ...place, nodeId: node.nodeId, sequence });
  return (
    <Dialog open onOpenChange={(_event, { open }) => (open ? undefined : handleClose())}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>{opened?.preview.title || node.name || text('restore.nameless')}</DialogTitle>
          <DialogContent>
            {question}
            {opened === null ? (
              <PlaceContext value={opening}>
                <Form
                  form={form}
                  label={text('restore.preview')}
                  onSubmit={async (values) => {
                    const preview = await ask.preview(values.reason);
                    if (preview !== null) setOpened({ preview, reason: values.reason });
                  }}
                >
                  <TextField name="reason" label={text('restore.reason')} hint={text('restore.reasonHint')} required autoFocus />
                  <Row>
                    <Button type="submit" appearance="primary" disabledFocusable={ask.isPending}>
                      {text('restore.open')}
                    </Button>
                  </Row>
                </Form>
              </PlaceContext>
            ) : (
              <PreviewContent
                preview={opened.preview}
                onDownload={(part) => void ask.download(opened.reason, part)}
                versions={
                  opened.preview.versions.length > 1 && (
                    <VersionList
                      versions={opened.preview.versions}
                      onDownload={(part) => void ask.download(opened.reason, part)}
                      onVersion={onVersion}
                    />
                  )
                }
              />
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={handleClose}>{text('common.close')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
