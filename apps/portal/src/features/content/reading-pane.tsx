import {
  Button,
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Subtitle1,
  tokens,
} from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import type { Node } from '@holdfast/contract/discovery';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { layout } from '../../ui/theme.ts';
import { PlaceContext, usePlace } from '../../ui/unsaved-entries.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import type { ChosenVersion } from './choice.ts';
import type { SourcePlace } from './content.queries.ts';
import { OpenedItem } from './opened-item.tsx';
import { ReasonForm } from './reason-form.tsx';
import { useReason } from './use-reason.ts';

/** Whoever holds an arrow key down passes items by: one is opened, and logged, when the reader stays on it. */
const restMs = 250;

const useStyles = makeStyles({
  surface: { maxWidth: layout.dialogWidth, width: '100%' },
  pane: {
    boxSizing: 'border-box',
    minWidth: 0,
    maxHeight: '640px',
    overflowY: 'auto',
    padding: tokens.spacingHorizontalL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  head: { display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: tokens.spacingHorizontalM },
  title: { overflowWrap: 'anywhere' },
});

export interface ReadingPaneProps {
  readonly place: SourcePlace;
  readonly node: Node;
  readonly sequence: number;
  /** One of the versions is to come back; absent where nothing is restored. */
  readonly onVersion: ((version: ChosenVersion) => void) | undefined;
  readonly onClose: () => void;
}

/** The item that is read, beside the list from which the reader walks on. */
export function ReadingPane(props: ReadingPaneProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const settled = useSettled(props.node);
  return (
    <section aria-label={text('content.reading')} className={styles.pane}>
      <div className={styles.head}>
        <Subtitle1 as="h2" className={styles.title}>
          {props.node.name.trim() || text('restore.nameless')}
        </Subtitle1>
        <Button appearance="subtle" icon={<DismissRegular />} aria-label={text('content.closeReading')} onClick={props.onClose} />
      </div>
      <Reading key={settled.nodeId} {...props} node={settled} />
    </section>
  );
}

/** The same in a dialog, where there is no room beside the list. */
export function ReadingDialog(props: ReadingPaneProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  useReturnFocus();
  const { place: opening, question } = usePlace();
  const handleClose = (): void => opening.leave(props.onClose);
  return (
    <Dialog open onOpenChange={(_event, { open }) => (open ? undefined : handleClose())}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle
            action={<Button appearance="subtle" icon={<DismissRegular />} aria-label={text('common.close')} onClick={handleClose} />}
          >
            {props.node.name.trim() || text('restore.nameless')}
          </DialogTitle>
          <DialogContent>
            {question}
            <PlaceContext value={opening}>
              <Reading {...props} />
            </PlaceContext>
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Reading({ place, node, sequence, onVersion }: ReadingPaneProps): ReactElement {
  const { reason, give } = useReason(place.sourceId);
  const [wasAsked, setAsked] = useState(false);
  if (reason === null) {
    return (
      <ReasonForm
        onGive={(given) => {
          setAsked(true);
          give(given);
        }}
      />
    );
  }
  return <OpenedItem place={{ ...place, nodeId: node.nodeId, sequence }} reason={reason} onVersion={onVersion} takesFocus={wasAsked} />;
}

/** The node once the reader has stayed on it. */
function useSettled(node: Node): Node {
  const { clock } = usePortal();
  const [settled, setSettled] = useState(node);
  useEffect(() => clock.after(restMs, () => setSettled(node)), [clock, node]);
  return settled;
}
