import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Subtitle2,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { content, contentTicketBody } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import type { Node } from '@holdfast/contract/discovery';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { z } from 'zod';
import { followDownload } from '../../api/save-file.ts';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { layout } from '../../ui/theme.ts';
import type { SourcePlace } from './restore.queries.ts';
import type { ChosenVersion } from './selection.ts';
import { VersionList } from './version-list.tsx';
import { PlaceContext, usePlace } from '../../ui/unsaved-entries.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

const useStyles = makeStyles({
  surface: { maxWidth: layout.dialogWidth, width: '100%' },
  start: { outlineStyle: 'none' },
  frame: {
    width: '100%',
    height: '50vh',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  text: {
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: '50vh',
    overflowY: 'auto',
    margin: 0,
    fontFamily: tokens.fontFamilyBase,
  },
});

/** What of the item is downloaded: all of it, an attachment, an earlier version. */
type WantedPart = NonNullable<z.input<typeof content.file.query>>;

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
  const ask = useTicket({ place, node, sequence });
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
                onVersion={onVersion}
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

/** A ticket is good for one use, so each look and each download asks for its own. */
function useTicket({ place, node, sequence }: Pick<PreviewDialogProps, 'place' | 'node' | 'sequence'>) {
  const { client, toasts, languages } = usePortal();
  const open = useChange(content.open);
  const { tenantId, locationId, sourceId } = place;
  const ticketFor = async (given: string): Promise<string | null> => {
    const body = { locationId, sourceId, nodeId: node.nodeId, sequence, reason: given };
    return await open.mutateAsync({ params: { tenantId }, body }).then(
      (answer) => answer.ticket,
      () => null,
    );
  };
  const refused = (): null => {
    toasts.show('error', languages.text('failures.retrieve'));
    return null;
  };
  return {
    isPending: open.isPending,
    async preview(given: string): Promise<Preview | null> {
      const ticket = await ticketFor(given);
      return ticket === null ? null : await client.send(content.preview, { params: { tenantId, ticket }, quiet: true }).catch(refused);
    },
    async download(given: string, query: WantedPart): Promise<void> {
      const ticket = await ticketFor(given);
      if (ticket === null) return;
      const address = await client.linkTo(content.file, { params: { tenantId, ticket }, query }).catch(() => null);
      if (address === null) toasts.show('error', languages.text('failures.download'));
      else followDownload(address);
    },
  };
}

interface PreviewContentProps {
  readonly preview: Preview;
  readonly onDownload: (part: WantedPart) => void;
  readonly onVersion: (version: ChosenVersion) => void;
}

function PreviewContent({ preview, onDownload, onVersion }: PreviewContentProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const start = useRef<HTMLDivElement>(null);
  // The button that asked for it is gone: without the focus nobody would hear of it, and Escape would not reach the dialog.
  useEffect(() => start.current?.focus(), []);
  return (
    <Stack>
      <div ref={start} tabIndex={-1} className={styles.start}>
        <Facts
          items={[
            ...(preview.from === null ? [] : ([[text('restore.from'), preview.from]] as const)),
            ...(preview.to.length === 0 ? [] : ([[text('restore.to'), preview.to.join(', ')]] as const)),
            ...(preview.cc.length === 0 ? [] : ([[text('restore.cc'), preview.cc.join(', ')]] as const)),
            ...(preview.at === null ? [] : ([[text('restore.date'), format.dateTime(preview.at)]] as const)),
            ...preview.properties.map((property) => [property.name, property.value] as const),
            ...preview.gone.map(({ part, name, since }) => {
              const told = text(`restore.goneParts.${part}`, { name, date: format.date(since) });
              return [text('restore.goneAtSource'), told] as const;
            }),
          ]}
        />
      </div>
      <Body preview={preview} />
      {preview.attachments.length > 0 && <Subtitle2 as="h3">{text('restore.attachments')}</Subtitle2>}
      <Row>
        {preview.attachments.map((attachment) => (
          <Button key={attachment.index} size="small" onClick={() => onDownload({ attachment: attachment.index })}>
            {attachment.name} ({format.bytes(attachment.sizeBytes)})
          </Button>
        ))}
        <Button size="small" appearance="primary" onClick={() => onDownload({})}>
          {text('restore.downloadOriginal')}
        </Button>
      </Row>
      {preview.versions.length > 1 && <VersionList versions={preview.versions} onDownload={onDownload} onVersion={onVersion} />}
    </Stack>
  );
}

/** Formatted mail only in its sandboxed frame; plain text is one click away. */
function Body({ preview }: { readonly preview: Preview }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [plain, setPlain] = useState(false);
  const showFrame = preview.frame !== null && !plain;
  return (
    <>
      {preview.frame !== null && preview.text !== null && (
        <Switch label={text('restore.showText')} checked={plain} onChange={(_event, { checked }) => setPlain(checked)} />
      )}
      {showFrame ? (
        <>
          <iframe
            className={styles.frame}
            title={preview.title}
            src={preview.frame ?? ''}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
          />
          <Text size={200}>{text('restore.remoteBlocked')}</Text>
        </>
      ) : (
        preview.text !== null && <pre className={styles.text}>{preview.text}</pre>
      )}
    </>
  );
}
