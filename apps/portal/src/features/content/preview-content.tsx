import { Avatar, Button, makeStyles, Subtitle2, Switch, Text, tokens } from '@fluentui/react-components';
import type { content, Preview } from '@holdfast/contract/content';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { z } from 'zod';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { KindIcon } from './kind-icon.tsx';
import { LinkedFiles } from './linked-files.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import type { TextMarks } from '../../ui/marked-text.tsx';

const useStyles = makeStyles({
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
  sender: { display: 'flex', gap: tokens.spacingHorizontalM, alignItems: 'center', overflowWrap: 'anywhere' },
});

/** The part of an item that is downloaded: all of it, an attachment, an earlier version. */
export type WantedPart = NonNullable<z.input<typeof content.file.query>>;

export interface PreviewContentProps {
  readonly preview: Preview;
  /** Downloads the item or a part of it; absent where it is read alone. */
  readonly onDownload?: (part: WantedPart) => void;
  /** Attachments are downloaded, the item itself is not. */
  readonly isOriginalKept?: boolean;
  /** Downloads a view of a mail as a PDF file. */
  readonly onPdf?: () => void;
  /** Shows the item as it is stored; absent where there is nothing more to see. */
  readonly onSource?: () => void;
  /** The pages of a file, where the server draws them. */
  readonly pages?: ReactNode;
  /** The list of versions, where the page offers to bring one back. */
  readonly versions?: ReactNode;
  /** The focus stays in the list beside it, from which the reader walks on. */
  readonly isBesideList?: boolean;
  /** Words of the text that are marked, such as those that a search looked for. */
  readonly marks?: (text: string) => TextMarks;
}

/** An item made readable: who, when, its text, its attachments. */
export function PreviewContent({
  preview,
  onDownload,
  isOriginalKept = false,
  onPdf,
  onSource,
  pages,
  versions,
  isBesideList = false,
  marks,
}: PreviewContentProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const start = useRef<HTMLDivElement>(null);
  // The button that asked for it is gone: without the focus nobody would hear of it, and Escape would not reach the dialog.
  useEffect(() => {
    if (!isBesideList) start.current?.focus();
  }, [isBesideList]);
  return (
    <Stack>
      <div ref={start} tabIndex={-1} className={styles.start}>
        <Head preview={preview} />
      </div>
      {pages}
      <Body preview={preview} marks={marks} />
      {preview.attachments.length > 0 && <Subtitle2 as="h3">{text('restore.attachments')}</Subtitle2>}
      <Row>
        {preview.attachments.map((attachment) => (
          <Button
            key={attachment.index}
            size="small"
            icon={<KindIcon node={{ kind: 'file', name: attachment.name }} />}
            disabled={onDownload === undefined}
            onClick={() => onDownload?.({ attachment: attachment.index })}
          >
            {attachment.name} ({format.bytes(attachment.sizeBytes)})
          </Button>
        ))}
        {onSource !== undefined && (
          <Button size="small" onClick={onSource}>
            {text('content.showSource')}
          </Button>
        )}
        {onPdf !== undefined && preview.kind === 'message' && (
          <Button size="small" onClick={onPdf}>
            {text('exports.pdf')}
          </Button>
        )}
        {onDownload !== undefined && !isOriginalKept && (
          <Button size="small" appearance="primary" onClick={() => onDownload({})}>
            {text('restore.downloadOriginal')}
          </Button>
        )}
      </Row>
      {preview.links !== undefined && <LinkedFiles links={preview.links} />}
      {versions}
    </Stack>
  );
}

/** Who, to whom, when, and what else there is to know. */
function Head({ preview }: { readonly preview: Preview }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const { from, to, cc, at, properties, gone } = preview;
  return (
    <Stack>
      {from !== null && (
        <div className={styles.sender}>
          <Avatar name={from.replace(/\s*<[^>]*>$/, '')} color="colorful" aria-hidden />
          <Text weight="semibold">{from}</Text>
        </div>
      )}
      <Facts
        items={[
          ...(to.length === 0 ? [] : ([[text('restore.to'), to.join(', ')]] as const)),
          ...(cc.length === 0 ? [] : ([[text('restore.cc'), cc.join(', ')]] as const)),
          ...(at === null ? [] : ([[text('restore.date'), format.dateTime(at)]] as const)),
          ...properties.map((property) => [property.name, property.value] as const),
          ...gone.map(({ part, name, since }) => {
            const told = text(`restore.goneParts.${part}`, { name, date: format.date(since) });
            return [text('restore.goneAtSource'), told] as const;
          }),
        ]}
      />
    </Stack>
  );
}

/** Formatted mail only in its sandboxed frame; plain text is one click away. */
function Body({ preview, marks }: Pick<PreviewContentProps, 'preview'> & { readonly marks: PreviewContentProps['marks'] }): ReactElement {
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
        preview.text !== null && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long text by its keys
          <pre className={styles.text} tabIndex={0}>
            {marks === undefined ? preview.text : <MarkedText text={preview.text} marks={marks(preview.text)} />}
          </pre>
        )
      )}
    </>
  );
}
