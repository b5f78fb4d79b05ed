import { Button, Drawer, DrawerBody, DrawerHeader, DrawerHeaderTitle, makeStyles, tokens } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { layout, narrowScreen } from './theme.ts';
import { useReturnFocus } from './use-return-focus.ts';

const useStyles = makeStyles({
  drawer: { width: layout.drawerWidth, maxWidth: '100vw', [narrowScreen]: { width: '100vw' } },
  wide: { width: 'min(960px, 100vw)' },
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, paddingBottom: tokens.spacingVerticalXXL },
});

export interface DetailDrawerProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details of one thing, over the list they belong to. Escape and the backdrop close it. */
export function DetailDrawer({ title, isWide = false, onClose, children }: DetailDrawerProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  useReturnFocus();
  return (
    <Drawer
      open
      type="overlay"
      position="end"
      className={isWide ? styles.wide : styles.drawer}
      onOpenChange={(_event, { open }) => (open ? undefined : onClose())}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label={text('common.close')} onClick={onClose} />}
        >
          {title}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody className={styles.body}>{children}</DrawerBody>
    </Drawer>
  );
}
