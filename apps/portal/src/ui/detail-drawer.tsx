import { Button, Drawer, DrawerBody, DrawerHeader, DrawerHeaderTitle, makeStyles, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { EmptyState } from './empty-state.tsx';
import { layout, narrowScreen } from './theme.ts';
import { PlaceContext, usePlace } from './unsaved-entries.tsx';
import type { Detail } from './use-detail.ts';
import { useFocusInside } from './use-focus-inside.ts';
import { useReturnFocus } from './use-return-focus.ts';

const useStyles = makeStyles({
  drawer: { width: layout.drawerWidth, maxWidth: '100vw', [narrowScreen]: { width: '100vw' } },
  wide: { width: 'min(960px, 100vw)' },
  body: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    paddingBottom: tokens.spacingVerticalXXL,
    '& > *': { flexShrink: 0 },
  },
});

export interface DetailDrawerProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details of one thing, over the list they belong to. Escape and the backdrop close it, after a question when something was entered. */
export function DetailDrawer({ title, isWide = false, onClose, children }: DetailDrawerProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const surface = useFocusInside();
  useReturnFocus();
  const { place, question } = usePlace();
  const handleClose = (): void => place.leave(onClose);
  return (
    <Drawer
      ref={surface}
      open
      type="overlay"
      position="end"
      className={isWide ? styles.wide : styles.drawer}
      onOpenChange={(_event, { open }) => (open ? undefined : handleClose())}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label={text('common.close')} onClick={handleClose} />}
        >
          {title}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody className={styles.body}>
        <PlaceContext value={place}>{children}</PlaceContext>
        {question}
      </DrawerBody>
    </Drawer>
  );
}

/** What the address names is not there, or not any more. */
export function NothingThere({ onClose }: Pick<DetailDrawerProps, 'onClose'>): ReactElement {
  const text = useText();
  return (
    <DetailDrawer title={text('shell.notFoundTitle')} onClose={onClose}>
      <EmptyState text={text('kit.notFoundHere')} />
    </DetailDrawer>
  );
}

/** Says so when the address names what its list does not hold; `ids` are those of the list once it is known. */
export function MissingDetail({
  detail,
  ids,
}: {
  readonly detail: Detail;
  readonly ids: readonly string[] | undefined;
}): ReactElement | null {
  if (detail.id === null || ids === undefined || ids.includes(detail.id)) return null;
  return <NothingThere onClose={detail.close} />;
}
